import { z } from "zod";
import { NoteId, TaskId, WorkflowId } from "../../../contract/ids.ts";
import { shortened } from "../../../contract/shortened.ts";
import { noteKinds, receiptLevels } from "../../../contract/words.ts";
import type {
  PackedTask,
  PackPart,
  PackVoice,
  TaskContext,
  TaskMission,
  Wanted,
} from "../../../domain/context/operations.ts";
import type { Task } from "../../../domain/task/model.ts";
import { sayWorkflow, statusOf } from "./words.ts";
import { checkpointRecord, TaskStatus } from "./work.ts";

/** What the context of a mission's task has beside that of any other. */
const MissionContext = z.object({
  objective: z.string().optional(),
  phase: z
    .object({ number: z.number().int(), name: z.string(), current: z.number().int(), total: z.number().int() })
    .optional(),
  level: z.enum(receiptLevels).optional().describe("What this task's receipt is worth, once it has ended."),
  scope_match: z.boolean().optional(),
  tests_status: z.string().optional().describe("As the agent said it."),
  blockers: z
    .array(z.object({ id: z.string(), description: z.string() }))
    .optional()
    .describe("They wait for a person."),
  failing_checks: z
    .array(z.object({ name: z.string(), task: z.string(), status: z.string(), last_lines: z.string() }))
    .optional(),
});
type MissionContext = z.input<typeof MissionContext>;

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
type Pack = z.input<typeof Pack>;

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

const longestName = 80;
const fewFiles = 10;

const nameOf = (task: Task): string => shortened(task.name, longestName);

/** How this family writes what a pack is made of. */
export const packVoice: PackVoice = {
  sections: {
    taskName: "task_name",
    plan: "plan",
    error: "error",
    notes: "checkpoints",
    highlights: "highlights",
    failingChecks: "failing_checks",
    blockers: "blockers",
    missionState: "mission",
    objective: "objective",
    files: "files_changed",
    description: "description",
    outcome: "outcome",
    dependencies: "dependency_outcomes",
    workflowName: "workflow_name",
    workflowPlan: "workflow_plan",
    workflowSource: "workflow_source",
    context: "context",
    siblings: "sibling_tasks",
    prior: "prior_tasks",
  },
  note(note) {
    const { task_id: _task, superseded: _superseded, detail, files_changed: files, ...record } = checkpointRecord(note);
    // What a plan that was given up said must not come back through the note that ended it.
    const shown = detail === null || note.kind === "replan" ? {} : { detail };
    return {
      full: { ...record, ...shown, files_changed: files },
      brief: { ...record, files_changed: files.slice(0, fewFiles) },
    };
  },
  noteLine: ({ kind, sequence }, summary) => ({ type: kind, sequence, summary }),
  dependency: (task, outcome) => ({ task_id: task.id, task_name: nameOf(task), outcome }),
  sibling(task) {
    const brief = { id: task.id, name: nameOf(task), status: statusOf(task) };
    return { full: { ...brief, brief_summary: shortened(task.outcome ?? task.description, 160) }, brief };
  },
  prior: priorLine,
  priorInFull(task) {
    const { description, outcomeDetail: outcome_detail } = task;
    return { ...priorLine(task, task.outcome ?? ""), description, outcome_detail };
  },
  failingCheck: ({ taskName, result: { name, status } }, last_lines) => ({
    name,
    task: shortened(taskName, longestName),
    status,
    last_lines,
  }),
  blocker: (note, description) => ({ id: note.id, description }),
  missionState: (mission) => ({ ...missionState(mission) }),
};

function priorLine(task: Task, outcome: string) {
  return { id: task.id, name: nameOf(task), outcome, status: statusOf(task) };
}

function missionState({ brief, phase, receipt }: TaskMission): MissionContext {
  const { currentPhase: current, totalPhases: total } = brief;
  const tests = receipt?.metadata["tests_status"];
  return {
    ...(phase ? { phase: { number: phase.number, name: shortened(phase.name, longestName), current, total } } : {}),
    ...(receipt ? { level: receipt.level, scope_match: receipt.scopeMatch } : {}),
    ...(typeof tests === "string" ? { tests_status: tests } : {}),
  };
}

/** What is asked for in this family's words. */
export const wantedFrom = (include: Include): Wanted => ({
  workflowPlan: include.workflow_plan,
  workflowSource: include.workflow_summary,
  prior: include.prior_task_outcomes,
  priorInFull: include.prior_task_full,
  siblings: include.sibling_status,
  dependencies: include.dependency_outcomes,
  allNotes: include.all_checkpoints,
  recentNotes: include.recent_checkpoints,
});

/** Where each part goes in the answer. */
const put: Readonly<Record<PackPart, (pack: Pack, value: never) => void>> = {
  taskName: ({ current_task }, name) => setIn(current_task, { name }),
  plan: ({ current_task }, plan) => setIn(current_task, { plan }),
  error: ({ current_task }, error) => setIn(current_task, { error }),
  notes: ({ current_task }, note) => void current_task.checkpoints.push(note),
  highlights: ({ current_task }, note) => void current_task.highlights.push(note),
  failingChecks: ({ mission }, check) => void mission?.failing_checks?.push(check),
  blockers: ({ mission }, blocker) => void mission?.blockers?.push(blocker),
  missionState: ({ mission }, state) => setIn(mission ?? {}, state),
  objective: ({ mission }, objective) => setIn(mission ?? {}, { objective }),
  files: ({ current_task }, file) => void current_task.files_changed.push(file),
  description: ({ current_task }, description) => setIn(current_task, { description }),
  outcome: ({ current_task }, outcome) => setIn(current_task, { outcome }),
  dependencies: ({ dependency_outcomes }, outcome) => void dependency_outcomes?.push(outcome),
  workflowName: ({ workflow }, name) => setIn(workflow, { name }),
  workflowPlan: ({ workflow }, plan_summary) => setIn(workflow, { plan_summary }),
  workflowSource: ({ workflow }, source_summary) => setIn(workflow, { source_summary }),
  context: ({ current_task }, context) => setIn(current_task, { context }),
  siblings: ({ sibling_tasks }, sibling) => void sibling_tasks?.push(sibling),
  prior: ({ prior_tasks }, prior) => void prior_tasks.push(prior),
};

const setIn = <T extends object>(target: T, values: Partial<T>): void => void Object.assign(target, values);

/** The answer with what was chosen; without any of it, it has just what it cannot be without. */
export function packRecord(
  context: TaskContext,
  { chosen, omitted, isTight, tokens }: PackedTask,
  lists: { readonly siblings: boolean; readonly dependencies: boolean },
): z.input<typeof PackedContext> {
  const pack = emptyPack(context, lists);
  for (const { part, value } of chosen) put[part](pack, value as never);
  return { ...(isTight ? withoutEmpty(pack) : pack), omitted: [...omitted], token_estimate: tokens };
}

function emptyPack(
  { workflow, task, mission }: TaskContext,
  lists: { readonly siblings: boolean; readonly dependencies: boolean },
): Pack {
  return {
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
    ...(lists.siblings ? { sibling_tasks: [] } : {}),
    ...(lists.dependencies ? { dependency_outcomes: [] } : {}),
    ...(mission ? { mission: { blockers: [], failing_checks: [] } } : {}),
  };
}

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
