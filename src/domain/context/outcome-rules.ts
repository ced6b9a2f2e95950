import type { Outcome, OutcomeGrouping, Spent, TaskEnd } from "./outcome-model.ts";

interface Counted {
  readonly spent: readonly Spent[];
  readonly ends: readonly TaskEnd[];
  /** Agents whose work was abandoned. */
  readonly abandoned: ReadonlySet<string>;
  readonly since: number;
  readonly until: number;
  /** In which week a moment lies, as spent has it. */
  weekOf(at: number): string;
}

/**
 * What was spent and what came of it, by what (OU1–OU4). Every report counts once, in the group it belongs to; every
 * reproduced result once: in the week it ended, or with whoever used most for it.
 */
export function countOutcomes(
  { spent, ends, abandoned, since, until, weekOf }: Counted,
  by: OutcomeGrouping | "all",
): Outcome[] {
  const endOf = new Map<string, TaskEnd>(ends.map((end) => [end.id, end]));
  const groups = new Map<string | null, Outcome>();
  const add = (key: string | null, more: Partial<Omit<Outcome, "key">>): void => {
    groups.set(key, sum(groups.get(key) ?? { key, ...nothing }, more));
  };
  const keyOf = (one: Spent): string | null => (by === "all" ? "all" : by === "task" ? one.taskId : one[by]);
  for (const one of spent) {
    const { reports, priced, tokens, costNanos } = one;
    const end = one.taskId === null ? undefined : endOf.get(one.taskId);
    add(keyOf(one), {
      reports,
      unpriced: reports - priced,
      withoutTask: one.taskId === null ? priced : 0,
      tokens,
      costNanos,
      ...(end?.level === "reproduced" ? { reproducedTokens: tokens, reproducedNanos: costNanos } : {}),
      ...(isWasted(end) || (end?.level !== "reproduced" && abandoned.has(one.agent ?? ""))
        ? { wastedTokens: tokens, wastedNanos: costNanos }
        : {}),
    });
  }
  const usedFor = groupByTask(spent);
  for (const end of ends) {
    if (end.level !== "reproduced" || end.endedAt === null || end.endedAt < since || end.endedAt >= until) continue;
    const used = usedFor.get(end.id) ?? [];
    const key =
      by === "week" ? weekOf(end.endedAt) : by === "task" ? end.id : by === "all" ? "all" : mostOf(used, keyOf);
    add(key, used.length === 0 ? { reproduced: 1, withoutUsage: 1 } : { reproduced: 1 });
  }
  return [...groups.values()].sort(
    (one, other) => compare(other.costNanos, one.costNanos) || compare(other.tokens, one.tokens),
  );
}

function groupByTask(spent: readonly Spent[]): ReadonlyMap<string, readonly Spent[]> {
  const groups = new Map<string, Spent[]>();
  for (const one of spent) {
    if (one.taskId === null) continue;
    const group = groups.get(one.taskId);
    if (group) group.push(one);
    else groups.set(one.taskId, [one]);
  }
  return groups;
}

const isWasted = (end: TaskEnd | undefined): boolean => end?.status === "cancelled" || end?.status === "failed";

/** Whoever used most for it; of equals the first by name. Nobody where nothing was reported. */
function mostOf(used: readonly Spent[], keyOf: (one: Spent) => string | null): string | null {
  const shares = new Map<string | null, bigint>();
  for (const one of used) shares.set(keyOf(one), (shares.get(keyOf(one)) ?? 0n) + one.tokens);
  const sorted = [...shares].sort(([one, a], [other, b]) => compare(b, a) || (String(one) < String(other) ? -1 : 1));
  return sorted[0]?.[0] ?? null;
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

const nothing: Omit<Outcome, "key"> = {
  reports: 0,
  unpriced: 0,
  withoutTask: 0,
  tokens: 0n,
  costNanos: 0n,
  reproduced: 0,
  withoutUsage: 0,
  reproducedTokens: 0n,
  reproducedNanos: 0n,
  wastedTokens: 0n,
  wastedNanos: 0n,
};

const sum = (one: Outcome, more: Partial<Omit<Outcome, "key">>): Outcome => ({
  key: one.key,
  reports: one.reports + (more.reports ?? 0),
  unpriced: one.unpriced + (more.unpriced ?? 0),
  withoutTask: one.withoutTask + (more.withoutTask ?? 0),
  tokens: one.tokens + (more.tokens ?? 0n),
  costNanos: one.costNanos + (more.costNanos ?? 0n),
  reproduced: one.reproduced + (more.reproduced ?? 0),
  withoutUsage: one.withoutUsage + (more.withoutUsage ?? 0),
  reproducedTokens: one.reproducedTokens + (more.reproducedTokens ?? 0n),
  reproducedNanos: one.reproducedNanos + (more.reproducedNanos ?? 0n),
  wastedTokens: one.wastedTokens + (more.wastedTokens ?? 0n),
  wastedNanos: one.wastedNanos + (more.wastedNanos ?? 0n),
});

/** How much of it nobody can tell: reports without a price or a task, and reproduced results without a report (OU3). */
export const unknownShare = ({ reports, unpriced, withoutTask, withoutUsage }: Outcome): number =>
  reports + withoutUsage === 0 ? 0 : (unpriced + withoutTask + withoutUsage) / (reports + withoutUsage);
