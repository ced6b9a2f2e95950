import { callTool } from "../../data/api.ts";
import { candidatesOf, leastReason } from "../../data/decisions.ts";
import type { Comparison, Doubt } from "../../data/doubts.ts";

type DoubtState = Doubt["state"];

export type Other = Comparison["others"][number];

/** A check runs out by the clock: no event says so. */
export function stateAt({ state, expires_at }: Pick<Doubt, "state" | "expires_at">, now: number): DoubtState {
  return state === "waits" && expires_at !== null && Date.parse(expires_at) <= now ? "expired" : state;
}

const states: Readonly<Record<DoubtState, string>> = {
  waits: "needs a decision",
  confirmed: "confirmed, waiting for the agent",
  expired: "check expired",
  noted: "noted",
  settled: "settled",
};

export const sayState = (state: DoubtState): string => states[state];

/** The mark that goes with a state. */
export const markOf = (state: DoubtState): string =>
  ({ waits: "waiting", confirmed: "ready", expired: "stale", noted: "planned", settled: "done" })[state];

export const verdictWords = {
  different_scope: "Different work",
  partial: "Partial overlap",
  same_scope: "Duplicate, start anyway",
} as const;
export type VerdictWord = keyof typeof verdictWords;

export const sayVerdict = (word: string): string =>
  word === "same_scope" ? "a duplicate" : word === "partial" ? "a partial overlap" : "different work";

/** What the reader has said so far. */
export interface Judging {
  readonly verdicts: Readonly<Record<string, VerdictWord>>;
  readonly reason: string;
}

/** What is still missing before it can be sent, or undefined. */
export function missingIn(comparison: Comparison, { verdicts, reason }: Judging): string | undefined {
  const unjudged = candidatesOf(comparison).filter(({ id }) => verdicts[id] === undefined).length;
  if (unjudged > 0) return unjudged === 1 ? "Choose a verdict." : `Choose a verdict for ${unjudged} more.`;
  const left = leastReason - reason.trim().length;
  if (left > 0) return `Give a reason: ${left} more ${left === 1 ? "character" : "characters"}.`;
  return undefined;
}

/** Whether the reader may decide it, and still can. */
export const canConfirm = (comparison: Comparison, now: number): boolean =>
  comparison.mine && comparison.check_id !== null && ["waits", "expired"].includes(stateAt(comparison, now));

export const canDismiss = ({ mine, state, warning_id, warning_status }: Comparison): boolean =>
  mine && state !== "confirmed" && warning_id !== null && (warning_status === "open" || warning_status === "noted");

/** For a comparison that can be confirmed, once nothing is missing. */
export const confirmStart = (comparison: Comparison, judging: Judging): Promise<unknown> =>
  callTool("check_confirm", {
    check_id: comparison.check_id ?? "",
    reason: judging.reason.trim(),
    verdicts: candidatesOf(comparison).flatMap(({ id }) => {
      const verdict = judging.verdicts[id];
      return verdict === undefined ? [] : [{ candidate_id: id, verdict }];
    }),
  });

/** For a comparison that can be dismissed. */
export const dismissWarning = ({ warning_id }: Comparison, reason: string): Promise<unknown> =>
  callTool("covibe_warning", { operation: "dismiss", warning_id: warning_id ?? "", reason });
