import type { Piece, TaskContext } from "../../domain/context/operations.ts";
import type { Note } from "../../domain/note/model.ts";
import type { Task, TaskPlan } from "../../domain/task/model.ts";
import { sayWorkflow, statusOf } from "./words.ts";
import { checkpointRecord, shortened } from "./work-voice.ts";

export interface Include {
  readonly workflow_plan: boolean;
  readonly workflow_summary: boolean;
  readonly prior_task_outcomes: boolean;
  readonly prior_task_full: boolean;
  readonly sibling_status: boolean;
  readonly dependency_outcomes: boolean;
  readonly all_checkpoints: boolean;
  readonly recent_checkpoints: number;
}

type Line = Record<string, unknown>;

/** The answer of task_load_context while it is being filled; it begins with what it cannot be without. */
export interface Pack {
  readonly workflow: Line;
  readonly current_task: Line & { checkpoints: Line[]; files_changed: string[] };
  readonly prior_tasks: Line[];
  readonly sibling_tasks: Line[];
  readonly dependency_outcomes: Line[];
}

export const emptyPack = ({ workflow, task }: TaskContext): Pack => ({
  workflow: {
    id: workflow?.id ?? "",
    name: shortened(workflow?.name ?? "", 60),
    source_type: workflow?.sourceType ?? "",
    source_summary: "",
    plan_summary: "",
    status: workflow ? sayWorkflow(workflow.status) : "",
    max_parallel_tasks: workflow?.maxParallel ?? 1,
  },
  current_task: {
    id: task.id,
    name: shortened(task.name, 60),
    description: "",
    plan: {},
    context: {},
    checkpoints: [],
    files_changed: [],
    status: statusOf(task),
  },
  prior_tasks: [],
  sibling_tasks: [],
  dependency_outcomes: [],
});

/**
 * What may go in, most needed first: the plan in force, what went wrong, what was decided, the last steps, changed
 * files, what it builds on; then the rest of the picture.
 */
export function piecesFor(pack: Pack, context: TaskContext, include: Include): Piece[] {
  const { workflow, task, notes } = context;
  const current = pack.current_task;
  const recent = notes.slice(-include.recent_checkpoints || notes.length);
  const isRecent = new Set(include.recent_checkpoints === 0 ? [] : recent);
  const newestFirst = [...notes].reverse();
  const urgent = newestFirst.filter((note) => note.kind === "error" || note.kind === "decision").slice(0, 5);
  const steps = newestFirst.filter((note) => isRecent.has(note) && !urgent.includes(note));
  const older = newestFirst.filter((note) => !isRecent.has(note) && !urgent.includes(note));
  const files = [...new Set(newestFirst.flatMap((note) => note.files))];
  return [
    text("description", current, "description", shortened(task.description, 600)),
    ...(task.plan ? [whole("plan", current, "plan", task.plan, planInShort)] : []),
    ...(task.error === null ? [] : [text("error", current, "error", task.error)]),
    ...(task.outcome === null ? [] : [text("outcome", current, "outcome", task.outcome)]),
    ...urgent.map((note) => checkpoint(current.checkpoints, note)),
    ...steps.map((note) => checkpoint(current.checkpoints, note)),
    ...files.slice(0, 50).map((file) => entry("files_changed", current.files_changed, file)),
    ...(include.dependency_outcomes
      ? context.dependencies.map((other) => outcome(pack.dependency_outcomes, other))
      : []),
    ...(workflow?.plan && include.workflow_plan
      ? [text("workflow_plan", pack.workflow, "plan_summary", workflow.plan.summary)]
      : []),
    ...(workflow && include.workflow_summary
      ? [text("workflow_source", pack.workflow, "source_summary", shortened(workflow.sourceContent, 2_000))]
      : []),
    ...(Object.keys(task.context).length > 0
      ? [whole("context", current, "context", task.context, () => undefined)]
      : []),
    ...(include.sibling_status ? context.siblings.map((other) => sibling(pack.sibling_tasks, other)) : []),
    ...(include.prior_task_outcomes
      ? [...context.prior].reverse().map((other) => prior(pack.prior_tasks, other, include.prior_task_full))
      : []),
    ...(task.description.length > 600 ? [text("description", current, "description", task.description)] : []),
    ...(include.all_checkpoints ? older.map((note) => checkpoint(current.checkpoints, note)) : []),
  ];
}

/** A text under a key; can be cut to what is left of the budget. */
function text(section: string, target: Line, key: string, value: string): Piece {
  return {
    section,
    value,
    put: () => {
      const before = target[key];
      target[key] = value;
      return () => {
        if (before === undefined) delete target[key];
        else target[key] = before;
      };
    },
    shorten: (most) => (value.length > most ? text(section, target, key, shortened(value, most)) : undefined),
  };
}

/** A plan that does not fit gives up its file lists and last steps before its approach. */
function planInShort(plan: TaskPlan, most: number): TaskPlan {
  const approach = shortened(plan.approach, Math.max(40, most >> 1));
  let left = most - approach.length - 60;
  const steps = plan.steps.filter((step) => {
    left -= step.length + 4;
    return left >= 0;
  });
  return { approach, steps };
}

function whole<T extends object>(
  section: string,
  target: Line,
  key: string,
  value: T,
  inShort: (value: T, most: number) => T | undefined,
): Piece {
  return {
    section,
    value,
    put: () => {
      const before = target[key];
      target[key] = value;
      return () => {
        target[key] = before;
      };
    },
    shorten: (most) => {
      const short = inShort(value, most);
      return short === undefined ? undefined : whole(section, target, key, short, inShort);
    },
  };
}

function entry<T>(section: string, list: T[], value: T, shorter?: (most: number) => T | undefined): Piece {
  return {
    section,
    value,
    put: () => {
      list.unshift(value);
      return () => void list.splice(list.indexOf(value), 1);
    },
    ...(shorter && {
      shorten: (most: number) => {
        const short = shorter(most);
        return short === undefined ? undefined : entry(section, list, short);
      },
    }),
  };
}

function checkpoint(list: Line[], note: Note): Piece {
  const { task_id: _task, superseded: _superseded, ...record } = checkpointRecord(note);
  // What a plan that was given up said must not come back through the note that ended it.
  const line = note.kind === "replan" ? { ...record, detail: null } : record;
  return entry<Line>("checkpoints", list, line, (most) => ({
    id: note.id,
    type: note.kind,
    sequence: note.sequence,
    summary: shortened(note.summary, most),
  }));
}

const outcome = (list: Line[], other: Task): Piece =>
  entry<Line>(
    "dependency_outcomes",
    list,
    { task_id: other.id, task_name: other.name, outcome: other.outcome ?? "" },
    (most) => ({ task_id: other.id, task_name: other.name, outcome: shortened(other.outcome ?? "", most) }),
  );

const sibling = (list: Line[], other: Task): Piece =>
  entry<Line>("sibling_tasks", list, {
    id: other.id,
    name: other.name,
    status: statusOf(other),
    brief_summary: shortened(other.outcome ?? other.description, 160),
  });

function prior(list: Line[], other: Task, isFull: boolean): Piece {
  const most = isFull ? 50_000 : 300;
  return entry<Line>("prior_tasks", list, {
    id: other.id,
    name: other.name,
    outcome: shortened(other.outcome ?? "", most),
    status: statusOf(other),
    ...(isFull ? { description: other.description, outcome_detail: other.outcomeDetail } : {}),
  });
}
