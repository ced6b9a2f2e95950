import type { AnswerOf } from "../../tools/calls.ts";
import { callTool, read } from "./api.ts";
import { type Reading, readAgain } from "./store.ts";

export type UseReport = AnswerOf<"usage_report">;
export type UseGroup = UseReport["groups"][number];

export const groupings = ["model", "session", "developer", "repository", "task", "channel", "source", "day"] as const;
export type Grouping = (typeof groupings)[number];

export const ranges = { day: 1, week: 7, month: 30, quarter: 91 } as const;
export type Range = keyof typeof ranges;

export const provenances = ["measured", "inferred", "mismatch"] as const;

export interface UseQuestion {
  readonly by: Grouping;
  readonly range: Range;
  readonly provenance: (typeof provenances)[number] | undefined;
}

/** The beginning of the range is rounded to the hour, so that the same question stays the same reading. */
const sinceOf = (range: Range, now: number): string => {
  const hour = 3_600_000;
  return new Date(Math.floor((now - ranges[range] * 24 * hour) / hour) * hour).toISOString();
};

export function reportReading(question: UseQuestion): Reading<UseReport> {
  const { by, range, provenance } = question;
  return {
    key: `usage ${by} ${range} ${provenance ?? ""}`,
    load: (signal) => ask(question, "json", signal),
    applyEvent: (report, event) => (event.kind.startsWith("span.") ? readAgain : report),
  };
}

export type OutcomeReport = AnswerOf<"outcome_report">;
export type OutcomeGroup = OutcomeReport["groups"][number];

export const outcomeGroupings = ["task", "agent", "model", "week"] as const;
export type OutcomeGrouping = (typeof outcomeGroupings)[number];

/** What reproduced results cost in the same time. */
export const outcomeReading = (range: Range, by: OutcomeGrouping): Reading<OutcomeReport> => ({
  key: `outcomes ${by} ${range}`,
  load: () => callTool("outcome_report", { group_by: by, since: sinceOf(range, Date.now()), limit: mostOutcomes }),
  applyEvent: (report, { kind }) => (kind.startsWith("span.") || kind.startsWith("receipt.") ? readAgain : report),
});

const mostOutcomes = 50;

export const readCsv = async (question: UseQuestion): Promise<string> => (await ask(question, "csv")).csv ?? "";

const ask = (
  { by, range, provenance }: UseQuestion,
  format: "json" | "csv",
  signal?: AbortSignal,
): Promise<UseReport> =>
  read("/api/usage/report", { group_by: by, since: sinceOf(range, Date.now()), provenance, format }, signal);
