import type { Fitted, Piece } from "../../../domain/context/operations.ts";
import type { Note } from "../../../domain/note/model.ts";
import type { Task, TaskPlan } from "../../../domain/task/model.ts";
import type { Pack } from "./context-pack.ts";
import { statusOf } from "./words.ts";
import { checkpointRecord, shortened } from "./work.ts";

/** A piece of a task's context that knows where in the answer it goes. */
export interface ContextPiece extends Piece {
  /** Lists are in this order, whatever the order in which their pieces were chosen. */
  readonly order: number;
  put(pack: Pack, value: never): void;
}

type Line = Record<string, unknown>;

/** Shorter than this a cut text says nothing. */
const leastText = 40;
const longestName = 80;

/** A text that can be cut at its end, or nothing where there is none; `most` is how long it may ever be. */
export function textPieces(
  section: string,
  value: string | null | undefined,
  ask: { share: number; most?: number; put: (pack: Pack, value: string) => void },
): ContextPiece[] {
  if (!value) return [];
  const fit = (room: number): Fitted | undefined => {
    const most = Math.min(room, ask.most ?? room);
    if (value.length <= most) return { value, cut: 0 };
    const text = shortened(value, most);
    return most < leastText ? undefined : { value: text, cut: value.length - text.length };
  };
  return [{ section, share: ask.share, order: 0, put: ask.put, fit }];
}

/** A plan that does not fit gives up its file lists and its last steps before its approach. */
export const planPiece = (plan: TaskPlan, share: number): ContextPiece => ({
  section: "plan",
  share,
  order: 0,
  put: (pack, value) => {
    pack.current_task.plan = value;
  },
  fit: (most) => fitForm([plan, { approach: plan.approach, steps: plan.steps }], most, planWithin(plan, most)),
});

function planWithin(plan: TaskPlan, most: number): Line {
  const approach = shortened(plan.approach, Math.max(leastText, most >> 1));
  let left = most - approach.length;
  const steps = plan.steps.filter((step) => {
    left -= step.length;
    return left >= 0;
  });
  return { approach, steps };
}

/** As many entries of the task's own context as there is room for. */
export const contextPiece = (context: Line, share: number): ContextPiece => ({
  section: "context",
  share,
  order: 0,
  put: (pack, value) => {
    pack.current_task.context = value;
  },
  fit: (most) => fitForm([context], most, entriesWithin(context, most)),
});

function entriesWithin(value: Line, most: number): Line | undefined {
  let left = most;
  const kept = Object.entries(value).filter(([key, entry]) => {
    const size = key.length + lengthOf(entry);
    if (size > left) return false;
    left -= size;
    return true;
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

const fewFiles = 10;

/** A checkpoint in full, then with fewer files and no detail, then as a line. */
export function checkpointPiece(note: Note, share: number): ContextPiece {
  const { task_id: _task, superseded: _superseded, detail, files_changed: files, ...record } = checkpointRecord(note);
  // What a plan that was given up said must not come back through the note that ended it.
  const full = { ...record, ...(detail === null || note.kind === "replan" ? {} : { detail }), files_changed: files };
  const brief = { ...record, files_changed: files.slice(0, fewFiles) };
  return {
    section: "checkpoints",
    share,
    order: note.sequence,
    put: (pack, value) => void pack.current_task.checkpoints.push(value),
    fit: (most) => fitForm([full, brief], most, lineOf(note, most)),
  };
}

/** A checkpoint as a line from the start; `list` is where it goes. */
export const linePiece = (note: Note, list: "highlights" | "checkpoints", share: number): ContextPiece => ({
  section: list,
  share,
  order: note.sequence,
  put: (pack, value) => void pack.current_task[list].push(value),
  fit: (most) => fitForm([lineOf(note, note.summary.length)], most, lineOf(note, most)),
});

const lineOf = ({ kind, sequence, summary }: Note, most: number): Line => ({
  type: kind,
  sequence,
  summary: shortened(summary, Math.max(leastText, most)),
});

export const filePiece = (file: string, order: number): ContextPiece => ({
  section: "files_changed",
  order,
  put: (pack, value) => void pack.current_task.files_changed.push(value),
  fit: (most) => (file.length <= most ? { value: file, cut: 0 } : undefined),
});

export const dependencyPiece = (task: Task, order: number): ContextPiece => ({
  section: "dependency_outcomes",
  share: 0.05,
  order,
  put: (pack, value) => void pack.dependency_outcomes?.push(value),
  fit: (most) =>
    fitOutcome(task, most, (outcome) => ({ task_id: task.id, task_name: shortened(task.name, longestName), outcome })),
});

export const siblingPiece = (task: Task, order: number): ContextPiece => ({
  section: "sibling_tasks",
  share: 0.02,
  order,
  put: (pack, value) => void pack.sibling_tasks?.push(value),
  fit: (most) => {
    const line = { id: task.id, name: shortened(task.name, longestName), status: statusOf(task) };
    return fitForm([{ ...line, brief_summary: shortened(task.outcome ?? task.description, 160) }], most, line);
  },
});

const shortOutcome = 300;

export const priorPiece = (task: Task, order: number, isFull: boolean): ContextPiece => {
  const { id, outcomeDetail: outcome_detail, description } = task;
  const more = isFull ? { description, outcome_detail } : {};
  const lineOf = (outcome: string): Line => ({
    id,
    name: shortened(task.name, longestName),
    outcome,
    status: statusOf(task),
  });
  return {
    section: "prior_tasks",
    share: isFull ? 0.2 : 0.04,
    order,
    put: (pack, value) => void pack.prior_tasks.push(value),
    fit: (most) => {
      const whole = { ...lineOf(task.outcome ?? ""), ...more };
      if (isFull && lengthOf(whole) <= most) return { value: whole, cut: 0 };
      return fitOutcome(task, isFull ? most : Math.min(most, shortOutcome), lineOf);
    },
  };
};

function fitOutcome({ outcome }: Task, most: number, lineOf: (outcome: string) => Line): Fitted {
  const text = shortened(outcome ?? "", Math.max(leastText, most));
  return { value: lineOf(text), cut: (outcome?.length ?? 0) - text.length };
}

/** The first of these forms that is short enough, else the last resort. What it lacks of the first is its cut. */
function fitForm(forms: readonly Line[], most: number, lastResort: Line | undefined): Fitted | undefined {
  const form = forms.find((one) => lengthOf(one) <= most) ?? (most < leastText ? undefined : lastResort);
  return form && { value: form, cut: Math.max(0, lengthOf(forms[0]) - lengthOf(form)) };
}

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
