import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Attention, Budget, Instance, InstanceStatus, InstanceType, Told, Used } from "./model.ts";

/** Where each type of instance can go from where it is (IN9). */
const steps: Record<InstanceType, Partial<Record<InstanceStatus, readonly InstanceStatus[]>>> = {
  coding: {
    started: ["waiting_review", "pr_created", "terminated", "abandoned"],
    waiting_review: ["started", "pr_created", "terminated", "abandoned"],
    pr_created: ["pr_merged", "pr_closed", "terminated", "abandoned"],
    pr_merged: ["terminated"],
    pr_closed: ["terminated"],
  },
  planning: {
    started: ["pr_created", "terminated", "abandoned"],
    pr_created: ["pr_merged", "pr_closed", "terminated", "abandoned"],
    pr_merged: ["terminated"],
    pr_closed: ["terminated"],
  },
  review: { started: ["terminated"] },
};

const overStatuses: readonly InstanceStatus[] = ["pr_merged", "pr_closed", "terminated", "abandoned"];

/** Nothing more is expected of it. */
export const isOver = ({ status }: Pick<Instance, "status">): boolean => overStatuses.includes(status);

export function decideStep(instance: Instance, to: InstanceStatus, now: number): Partial<Instance> {
  const { type, status: from } = instance;
  const allowed = steps[type][from] ?? [];
  if (!allowed.includes(to)) {
    throw new Refusal(
      "INVALID_TRANSITION",
      `A ${type} instance cannot go from ${from} to ${to}.`,
      allowed.length === 0 ? "Nothing follows this status." : `It can go to ${allowed.join(", ")}.`,
      { from, to, allowed },
    );
  }
  const ends = overStatuses.includes(to);
  return {
    status: to,
    updatedAt: now,
    lastActivityAt: now,
    ...(ends ? { terminatedAt: instance.terminatedAt ?? now } : {}),
  };
}

/** Each tool is for some types of instance only; nobody reviews their own work by saying so (IN7). */
export function checkType(instance: Instance, types: readonly InstanceType[]): void {
  if (types.includes(instance.type)) return;
  throw new Refusal(
    "FORBIDDEN",
    `This is for ${types.join(" and ")} instances; ${instance.id} is a ${instance.type} one.`,
    nextStep("useOwnReviewTools"),
  );
}

/** What an adopted connection says it is for. Whoever judges was asked to by us, and has a token that proves it. */
export function readRole(role: string | undefined): "coding" | "planning" {
  if (role === undefined || role === "coding") return "coding";
  if (role === "planning") return "planning";
  if (role === "review") {
    throw new Refusal(
      "FORBIDDEN",
      "Nobody can name itself a reviewer.",
      "Ask for a review; a reviewer is started then.",
    );
  }
  throw new Refusal("INVALID_REQUEST", "That role is unknown.", "Say coding or planning, or nothing.");
}

const words: Record<InstanceType, string> = { coding: "work", review: "review", planning: "planning" };
const letters = "0123456789abcdefghjkmnpqrstvwxyz";

/** A readable id (IN2), fit for a branch, a folder and a session as it is. */
export const nameInstance = (type: InstanceType, bytes: Uint8Array): string =>
  `${words[type]}-${[...bytes].map((byte) => letters[byte % 32]).join("")}`;

/** An adopted instance that has its pull request, or was given up, is done with that branch: another branch is other work. */
export const isSameWork = (instance: Instance, branch: string | null): boolean =>
  (instance.status !== "pr_created" && instance.status !== "abandoned") || instance.branch === branch;

/** What was seen of a program that runs. */
interface RunningSight {
  readonly quietSince?: number;
  readonly asks?: boolean;
  readonly isCounted?: boolean;
  readonly used?: Used;
}

/**
 * Why a person should look at a running instance, if anything (IN19, IN20). Whoever waits for a review or a decision may
 * be as silent as they like.
 */
export function decideAttention(
  { status, run }: Instance,
  seen: RunningSight,
  { calledAt, quietMs, now }: { readonly calledAt: number; readonly quietMs: number; readonly now: number },
): Pick<Attention, "kind" | "reason"> | null {
  if (seen.asks) return { kind: "permission", reason: "Its program asks a question in its terminal." };
  const uncounted = explainUncounted(run?.budget, seen);
  const vain = uncounted === undefined ? null : ({ kind: "uncounted", reason: uncounted } as const);
  if (status !== "started" || seen.quietSince === undefined) return vain;
  const since = Math.max(seen.quietSince, calledAt, run?.startedAt ?? 0);
  if (now - since < quietMs) return vain;
  return { kind: "silent", reason: `No output and no call for ${Math.floor((now - since) / 60_000)} min.` };
}

/** Why a budget cannot hold; undefined where it can, or where none was set (IN27). */
function explainUncounted(budget: Budget | null | undefined, { isCounted, used }: RunningSight): string | undefined {
  if (!budget) return undefined;
  if (isCounted === false) return "Its budget has no effect: what its program uses in this mode cannot be counted.";
  if (budget.dollars === null || used === undefined || used.dollars !== null) return undefined;
  return "Its budget in dollars has no effect: a model that it uses has no price. Add one under `prices` in config.json.";
}

const mostTold = 10;
const longestTold = 20_000;

/** What an instance was told so far with what it is told now; of much the newest, each as far as a page shows it. */
export function addTold(told: readonly Told[] | null | undefined, one: Told): Told[] {
  const text = one.text.length > longestTold ? `${one.text.slice(0, longestTold)}\n(cut here)` : one.text;
  return [...(told ?? []), { ...one, text }].slice(-mostTold);
}

/** Counting begins anew after a restart and catches up: what was known already is not forgotten meanwhile. */
export const mostUsed = (known: Used | null | undefined, seen: Used | undefined): Used | undefined =>
  known && seen && seen.tokens < known.tokens ? known : seen;

/** What was used beyond the budget, in words; undefined while it holds. */
export function overBudget(budget: Budget | null | undefined, used: Used | null | undefined): string | undefined {
  if (!budget || !used) return undefined;
  const { tokens, dollars } = used;
  if (budget.tokens !== null && tokens > budget.tokens) {
    return `It used ${figure(tokens)} tokens; its budget is ${figure(budget.tokens)}.`;
  }
  if (budget.dollars !== null && dollars !== null && dollars > budget.dollars) {
    return `It used $${dollars.toFixed(2)}; its budget is $${budget.dollars.toFixed(2)}.`;
  }
  return undefined;
}

const figure = (amount: number): string => amount.toLocaleString("en-US");

/** A program that ends so soon without a call has not worked: something is wrong with how it is started. */
const soonMs = 15_000;

export function endedAtOnce(
  { run }: Instance,
  { at, exitCode, calledAt }: { readonly at: number; readonly exitCode: number | null; readonly calledAt: number },
): string | undefined {
  const startedAt = run?.startedAt ?? at;
  // Whoever was killed did not end by itself.
  if (exitCode === null || at - startedAt > soonMs || calledAt >= startedAt) return undefined;
  return `Its program ended with code ${exitCode} ${Math.max(1, Math.round((at - startedAt) / 1_000))} s after its start, without a call.`;
}
