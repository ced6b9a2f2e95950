import type { DeveloperId } from "../../contract/ids.ts";
import type { Budget } from "./budget-model.ts";

/** What is spent beyond this is no longer counted: a database and JavaScript would no longer agree on it. */
const mostNanos = Number.MAX_SAFE_INTEGER;

/** What a further cost makes of a budget. The limit is passed once, until somebody changes it. */
export function decideSpending(
  budget: Budget,
  cost: { nanos: number; by: DeveloperId },
  now: number,
): Pick<Budget, "spentNanos" | "passedAt" | "passedBy" | "updatedAt"> {
  const spentNanos = Math.min(mostNanos, budget.spentNanos + cost.nanos);
  const { limitNanos, passedAt, passedBy } = budget;
  const isPassedNow = passedAt === null && limitNanos !== null && spentNanos > limitNanos;
  return {
    spentNanos,
    updatedAt: now,
    ...(isPassedNow ? { passedAt: now, passedBy: cost.by } : { passedAt, passedBy }),
  };
}

/** A new limit begins anew: one that is already passed warns its owner again. */
export function decideLimit(
  budget: Budget,
  ask: { limitNanos: number | null; owner: DeveloperId },
  now: number,
): Pick<Budget, "limitNanos" | "passedAt" | "passedBy" | "warnedAt" | "updatedAt"> {
  const isPassed = ask.limitNanos !== null && budget.spentNanos > ask.limitNanos;
  return {
    limitNanos: ask.limitNanos,
    passedAt: isPassed ? now : null,
    passedBy: isPassed ? ask.owner : null,
    warnedAt: null,
    updatedAt: now,
  };
}
