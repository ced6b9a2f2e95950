import { z } from "zod";
import { NoteId, TaskId, WorkflowId } from "../../../contract/ids.ts";
import {
  type Chosen,
  fillPack,
  listOmissions,
  type Omission,
  type TaskContext,
} from "../../../domain/context/operations.ts";
import { type Note, noteKinds } from "../../../domain/note/model.ts";
import type { Share } from "../../../domain/task/neighbour-queries.ts";
import {
  type ContextPiece,
  checkpointPiece,
  contextPiece,
  dependencyPiece,
  filePiece,
  linePiece,
  planPiece,
  priorPiece,
  siblingPiece,
  textPieces,
} from "./context-pieces.ts";
import { MissionContext, missionPieces } from "./mission-pieces.ts";
import { sayWorkflow, statusOf } from "./words.ts";
import { TaskStatus } from "./work.ts";

const Line = z.object({ type: z.enum(noteKinds), sequence: z.number().int(), summary: z.string() });
const Open = z.record(z.string(), z.unknown());

const Pack = z.object({
  workflow: z.object({
    id: WorkflowId.or(z.literal("")),
    name: z.string(),
    source_type: z.string(),
    source_summary: z.string(),
    plan_summary: z.string(),
    status: z.string(),
    max_parallel_tasks: z.number().int(),
  }),
  current_task: z.object({
    id: TaskId,
    name: z.string(),
    status: TaskStatus,
    description: z.string(),
    plan: Open.describe("The plan in force."),
    context: Open,
    error: z.string().optional(),
    outcome: z.string().optional(),
    highlights: z.array(Line).describe("Open errors and the last decisions that checkpoints does not have."),
    checkpoints: z.array(
      Line.extend({
        id: NoteId.optional(),
        detail: Open.optional(),
        files_changed: z.array(z.string()).optional(),
        created_at: z.string().optional(),
      }),
    ),
    files_changed: z.array(z.string()).describe("Last changed first."),
  }),
  prior_tasks: z.array(
    z.object({
      id: TaskId,
      name: z.string(),
      outcome: z.string(),
      status: TaskStatus,
      description: z.string().optional(),
      outcome_detail: Open.nullable().optional(),
    }),
  ),
  sibling_tasks: z
    .array(z.object({ id: TaskId, name: z.string(), status: TaskStatus, brief_summary: z.string().optional() }))
    .optional(),
  dependency_outcomes: z.array(z.object({ task_id: TaskId, task_name: z.string(), outcome: z.string() })).optional(),
  mission: MissionContext.optional().describe("Where the mission stands, for a task that was started in one."),
});
export type Pack = z.input<typeof Pack>;

export const PackedContext = Pack.extend({
  omitted: z
    .array(
      z.object({
        section: z.string(),
        omitted: z.number().int().optional().describe("Left out whole."),
        shortened: z.number().int().optional().describe("Cut."),
        characters: z.number().int().optional().describe("Lost by cutting."),
      }),
    )
    .describe("What was asked for and is not here."),
  token_estimate: z.number().int().describe("Of this whole answer; it has no more."),
});

interface Include {
  readonly workflow_plan: boolean;
  readonly workflow_summary: boolean;
  readonly prior_task_outcomes: boolean;
  readonly prior_task_full: boolean;
  readonly sibling_status: boolean;
  readonly dependency_outcomes: boolean;
  readonly all_checkpoints: boolean;
  readonly recent_checkpoints: number;
}

/** As much of a task's context as the budget allows, and what that left out. */
export function packContext(
  context: TaskContext,
  include: Include,
  { budget, count }: { budget: number; count: (text: string) => number },
): z.input<typeof PackedContext> {
  const pieces = piecesFor(context, include);
  const unread = countUnread(context, include);
  // The estimate is part of the answer: it is measured with the widest number it could be.
  const build = (chosen: readonly Chosen<ContextPiece>[], omitted: readonly Omission[]) => {
    const pack = buildPack(context, include, chosen);
    return budget < leastForSections
      ? { ...withoutEmpty(pack), omitted: inAll(omitted), token_estimate: budget }
      : { ...pack, omitted: [...omitted], token_estimate: budget };
  };
  const chosen = fillPack(pieces, { budget, count, build, unread });
  const answer = build(chosen, listOmissions(pieces, chosen, unread));
  return { ...answer, token_estimate: count(JSON.stringify(answer)) };
}

/** The smallest budget that always holds what an answer cannot be without. */
export const leastBudget = 160;
/** With less there is no room to say of every section what is missing. */
const leastForSections = 400;

/** The pack without the lists that it may be without and that have nothing in them. */
function withoutEmpty({ sibling_tasks, dependency_outcomes, mission, ...needed }: Pack): Pack {
  const { blockers, failing_checks, ...state } = mission ?? {};
  const kept = { ...state, ...unlessEmpty({ blockers }), ...unlessEmpty({ failing_checks }) };
  return {
    ...needed,
    ...unlessEmpty({ sibling_tasks }),
    ...unlessEmpty({ dependency_outcomes }),
    ...(Object.keys(kept).length > 0 ? { mission: kept } : {}),
  };
}

const unlessEmpty = <T extends Record<string, readonly unknown[] | undefined>>(list: T): Partial<T> =>
  Object.values(list).some((entries) => entries && entries.length > 0) ? list : {};

const inAll = (omitted: readonly Omission[]): Omission[] => {
  const pieces = omitted.reduce((sum, one) => sum + (one.omitted ?? 0) + (one.shortened ?? 0), 0);
  return pieces === 0 ? [] : [{ section: "all", omitted: pieces }];
};

/** The answer with these pieces in it; without any it has just what it cannot be without. */
function buildPack(context: TaskContext, include: Include, chosen: readonly Chosen<ContextPiece>[]): Pack {
  const { workflow, task } = context;
  const pack: Pack = {
    workflow: {
      id: workflow?.id ?? "",
      name: "",
      source_type: workflow?.sourceType ?? "",
      source_summary: "",
      plan_summary: "",
      status: workflow ? sayWorkflow(workflow.status) : "",
      max_parallel_tasks: workflow?.maxParallel ?? 1,
    },
    current_task: {
      id: task.id,
      name: "",
      status: statusOf(task),
      description: "",
      plan: {},
      context: {},
      highlights: [],
      checkpoints: [],
      files_changed: [],
    },
    prior_tasks: [],
    ...(include.sibling_status ? { sibling_tasks: [] } : {}),
    ...(include.dependency_outcomes ? { dependency_outcomes: [] } : {}),
    ...(context.mission ? { mission: { blockers: [], failing_checks: [] } } : {}),
  };
  const inOrder = [...chosen].sort((one, other) => one.piece.order - other.piece.order);
  for (const { piece, value } of inOrder) piece.put(pack, value as never);
  return pack;
}

const firstFiles = 5;
const mostFiles = 50;
const mostOfSource = 2_000;

/**
 * What may go in, most needed first: the plan in force, what went wrong, what was decided, changed files; then the task
 * itself, its last steps, what it builds on; then the rest of the picture.
 */
function piecesFor(context: TaskContext, include: Include): ContextPiece[] {
  const { task } = context;
  const notes = notePieces(context, include);
  const files = context.files.slice(0, mostFiles).map(filePiece);
  return [
    ...textPieces("task_name", task.name, {
      share: 0.04,
      put: ({ current_task }, name) => setIn(current_task, { name }),
    }),
    ...(task.plan ? [planPiece(task.plan, 0.2)] : []),
    ...textPieces("error", task.error, {
      share: 0.1,
      put: ({ current_task }, error) => setIn(current_task, { error }),
    }),
    ...notes.urgent,
    ...(context.mission ? missionPieces(context.mission) : []),
    ...files.slice(0, firstFiles),
    ...textPieces("description", task.description, {
      share: 0.12,
      put: ({ current_task }, description) => setIn(current_task, { description }),
    }),
    ...notes.highlights,
    ...textPieces("outcome", task.outcome, {
      share: 0.1,
      put: ({ current_task }, outcome) => setIn(current_task, { outcome }),
    }),
    ...notes.recent,
    ...files.slice(firstFiles),
    ...(include.dependency_outcomes ? context.dependencies.tasks.map(dependencyPiece) : []),
    ...workflowPieces(context, include),
    ...(Object.keys(task.context).length > 0 ? [contextPiece(task.context, 0.1)] : []),
    ...(include.sibling_status ? context.siblings.tasks.map(siblingPiece) : []),
    ...(include.prior_task_outcomes
      ? context.prior.tasks.map((prior, order) => priorPiece(prior, order, include.prior_task_full)).reverse()
      : []),
    ...notes.older,
  ];
}

const setIn = <T extends object>(target: T, values: Partial<T>): void => void Object.assign(target, values);

const workflowPieces = ({ workflow }: TaskContext, include: Include): ContextPiece[] => [
  ...textPieces("workflow_name", workflow?.name, {
    share: 0.03,
    put: (pack, name) => setIn(pack.workflow, { name }),
  }),
  ...textPieces("workflow_plan", include.workflow_plan ? workflow?.plan?.summary : null, {
    share: 0.08,
    put: (pack, plan_summary) => setIn(pack.workflow, { plan_summary }),
  }),
  ...textPieces("workflow_source", include.workflow_summary ? workflow?.sourceContent : null, {
    share: 0.08,
    most: mostOfSource,
    put: (pack, source_summary) => setIn(pack.workflow, { source_summary }),
  }),
];

/** Newest first. The newest error and decision go before everything else, the rest of the highlights soon after. */
function notePieces({ notes, highlights }: TaskContext, include: Include) {
  const recent = new Set(notes.slice(notes.length - Math.min(include.recent_checkpoints, notes.length)).map(idOf));
  const isHighlight = new Set(highlights.map(idOf));
  const highlightPiece = (note: Note, share: number): ContextPiece =>
    recent.has(note.id)
      ? checkpointPiece(note, share)
      : linePiece(note, include.all_checkpoints ? "checkpoints" : "highlights", share);
  const newest = [...highlights].reverse();
  const urgent = ["error", "decision"].flatMap((kind) => newest.find((note) => note.kind === kind) ?? []);
  const rest = [...notes].reverse().filter((note) => !isHighlight.has(note.id));
  return {
    urgent: urgent.map((note) => highlightPiece(note, 0.08)),
    highlights: newest.filter((note) => !urgent.includes(note)).map((note) => highlightPiece(note, 0.04)),
    recent: rest.filter((note) => recent.has(note.id)).map((note) => checkpointPiece(note, 0.08)),
    older: include.all_checkpoints
      ? rest.filter((note) => !recent.has(note.id)).map((note) => linePiece(note, "checkpoints", 0.02))
      : [],
  };
}

const idOf = (note: Note): string => note.id;

/** What exists and was asked for, but was not even read. */
function countUnread(context: TaskContext, include: Include): Record<string, number> {
  const { notes, noteCount, highlights, files, prior, siblings, dependencies } = context;
  const read = new Set([...notes, ...highlights].map(idOf)).size;
  const leftOf = ({ tasks, total }: Share): number => total - tasks.length;
  return {
    checkpoints: include.all_checkpoints ? noteCount - read : 0,
    files_changed: Math.max(0, files.length - mostFiles),
    dependency_outcomes: include.dependency_outcomes ? leftOf(dependencies) : 0,
    sibling_tasks: include.sibling_status ? leftOf(siblings) : 0,
    prior_tasks: include.prior_task_outcomes ? leftOf(prior) : 0,
  };
}
