import type { AnswerOf } from "../../../tools/calls.ts";
import { read } from "../../data/api.ts";
import { type Reading, readAgain } from "../../data/store.ts";

type Summary = NonNullable<AnswerOf<"summary_get">["summary"]>;
export type Audit = AnswerOf<"team_state">["latestParallelAudits"][number];
export type Pair = Audit["conflicts"][number];
export type WorkRef = Pair["one"];

interface SummaryPage {
  readonly summary: Summary | null;
  readonly audit: Audit | undefined;
}

export const summaryReading: Reading<SummaryPage> = {
  key: "summary",
  async load(signal) {
    const [{ summary }, state] = await Promise.all([read("/api/summary", {}, signal), read("/api/state", {}, signal)]);
    return { summary, audit: state.latestParallelAudits[0] };
  },
  applyEvent: (page, { event }) =>
    event === "weekly_summary.generated" || event === "parallel_work.audit" ? readAgain : page,
};

const words: Readonly<Record<string, string>> = {
  active_vs_active: "both in progress",
  active_vs_completed: "one already done",
  completed_vs_completed: "both done",
};
export const relationWords = (relation: string): string => words[relation] ?? relation;

/** Where a piece of work is shown. */
export function placeOf({ type, id }: WorkRef): string | undefined {
  if (type === "task") return `/tasks/${id}`;
  if (type === "mission") return `/missions/${id}`;
  return type === "workflow" || type === "workstream" ? `/workflows/${id}` : undefined;
}
