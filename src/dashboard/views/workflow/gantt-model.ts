import type { Step, StepNote } from "./workflow-model.ts";

export interface Bar {
  readonly step: Step;
  /** Where it begins and how long it is, in hundredths of the whole span; undefined for what has not begun. */
  readonly span: { readonly from: number; readonly length: number } | undefined;
  readonly durationMs: number | undefined;
  readonly marks: readonly Mark[];
}

interface Mark {
  readonly note: StepNote;
  readonly at: number;
}

/** What ran when, the first to begin on top, and below it what has not begun. */
export function barsOf(steps: readonly Step[], notes: readonly StepNote[], now: number): readonly Bar[] {
  const begun = steps.filter((step) => step.started_at !== null);
  const from = Math.min(now, ...begun.map((step) => Date.parse(step.started_at ?? "")));
  const to = Math.max(from + 1_000, ...begun.map((step) => endOf(step, now)));
  const placeOf = (at: number): number => (100 * (at - from)) / (to - from);
  const notesOf = notesByTask(notes);
  return steps
    .map((step): Bar => {
      if (step.started_at === null) return { step, span: undefined, durationMs: undefined, marks: [] };
      const start = Date.parse(step.started_at);
      const durationMs = endOf(step, now) - start;
      const length = Math.max(0.4, placeOf(endOf(step, now)) - placeOf(start));
      const marks = (notesOf.get(step.id) ?? [])
        .map((note) => ({ note, at: placeOf(Date.parse(note.created_at)) }))
        .filter(({ at }) => at >= 0 && at <= 100);
      return { step, span: { from: Math.min(placeOf(start), 100 - length), length }, durationMs, marks };
    })
    .sort(byStart);
}

function notesByTask(notes: readonly StepNote[]): ReadonlyMap<string | null, readonly StepNote[]> {
  const byTask = new Map<string | null, StepNote[]>();
  for (const note of notes) {
    if (note.superseded) continue;
    byTask.set(note.task_id, [...(byTask.get(note.task_id) ?? []), note]);
  }
  return byTask;
}

const endOf = (step: Step, now: number): number =>
  step.completed_at === null
    ? isRunning(step)
      ? now
      : Date.parse(step.started_at ?? "")
    : Date.parse(step.completed_at);

const isRunning = ({ status }: Step): boolean =>
  status === "in_progress" || status === "planning" || status === "paused";

function byStart({ step: one }: Bar, { step: other }: Bar): number {
  return (
    Number(one.started_at === null) - Number(other.started_at === null) ||
    (one.started_at ?? "").localeCompare(other.started_at ?? "") ||
    one.sequence - other.sequence ||
    one.name.localeCompare(other.name)
  );
}
