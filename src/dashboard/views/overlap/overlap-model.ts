import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool, read } from "../../data/api.ts";
import { type Doubt, isAboutDoubts } from "../../data/doubts.ts";
import type { LiveEvent } from "../../data/event.ts";
import { type Reading, readAgain } from "../../data/store.ts";

type DoubtState = Doubt["state"];

/** Work that may be done twice, with both sides. */
export type Comparison = AnswerOf<"overlap_get">;
export type Other = Comparison["others"][number];

export const comparisonReading = (id: string): Reading<Comparison> => ({
  key: `overlap of ${id}`,
  load: (signal) => read("/api/overlap/:id", { id }, signal),
  applyEvent: (value, event) => (isAboutDoubts(event) || concerns(value, event) ? readAgain : value),
});

const concerns = ({ work, others }: Comparison, { subject }: LiveEvent): boolean =>
  subject === work.id || others.some(({ id }) => id === subject);

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

/** A verdict without a sentence tells nobody anything later. */
export const leastReason = 10;

/** What the reader has said so far. */
export interface Judging {
  readonly verdicts: Readonly<Record<string, VerdictWord>>;
  readonly reason: string;
}

/** What is still missing before it can be sent, or undefined. */
export function missingIn(comparison: Comparison, { verdicts, reason }: Judging): string | undefined {
  const unjudged = asked(comparison).filter(({ id }) => verdicts[id] === undefined).length;
  if (unjudged > 0) return unjudged === 1 ? "Choose a verdict." : `Choose a verdict for ${unjudged} more.`;
  const left = leastReason - reason.trim().length;
  if (left > 0) return `Give a reason: ${left} more ${left === 1 ? "character" : "characters"}.`;
  return undefined;
}

/** What the reader is asked about. */
export type Asked = Other & { readonly id: string };

export const asked = ({ others }: Comparison): readonly Asked[] =>
  others.filter((other): other is Asked => other.needs_verdict && other.id !== null);

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
    verdicts: asked(comparison).flatMap(({ id }) => {
      const verdict = judging.verdicts[id];
      return verdict === undefined ? [] : [{ candidate_id: id, verdict }];
    }),
  });

/** For a comparison that can be dismissed. */
export const dismissWarning = ({ warning_id }: Comparison, reason: string): Promise<unknown> =>
  callTool("covibe_warning", { operation: "dismiss", warning_id: warning_id ?? "", reason });
