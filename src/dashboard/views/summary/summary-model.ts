import { read } from "../../data/api.ts";
import { type Reading, readAgain } from "../../data/store.ts";

export interface WorkRef {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly status: string;
  readonly developer: string;
}

export interface Pair {
  readonly relation: string;
  readonly one: WorkRef;
  readonly other: WorkRef;
  readonly score: number;
  readonly reasons: readonly string[];
}

export interface Audit {
  readonly id: string;
  readonly developer: string;
  readonly compared: number;
  readonly conflicts: readonly Pair[];
  readonly omitted: number;
  readonly created_at: string;
}

export interface Summary {
  readonly summary_id: string;
  readonly developer: string;
  readonly since: string;
  readonly until: string;
  readonly markdown: string;
}

export interface SummaryPage {
  readonly summary: Summary | null;
  readonly audit: Audit | undefined;
}

export const summaryReading: Reading<SummaryPage> = {
  key: "summary",
  async load(signal) {
    const [{ summary }, state] = await Promise.all([
      read<{ summary: Summary | null }>("/api/summary", {}, signal),
      read<{ latestParallelAudits: Audit[] }>("/api/state", {}, signal),
    ]);
    return { summary, audit: state.latestParallelAudits[0] };
  },
  applyEvent: (page, { event }) =>
    event === "weekly_summary.generated" || event === "parallel_work.audit" ? readAgain : page,
};

const words: Readonly<Record<string, string>> = {
  active_vs_active: "both under way",
  active_vs_completed: "one is done already",
  completed_vs_completed: "both are done",
};
export const relationWords = (relation: string): string => words[relation] ?? relation;

/** Where a piece of work is shown. */
export function placeOf({ type, id }: WorkRef): string | undefined {
  if (type === "task") return `/tasks/${id}`;
  if (type === "mission") return `/missions/${id}`;
  return type === "workflow" || type === "workstream" ? `/workflows/${id}` : undefined;
}
