import { z } from "zod";
import { type TaskId, WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { openRecord } from "../../contract/open-record.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { TaskEvidence } from "../../domain/evidence/model.ts";
import { listEvidence } from "../../domain/evidence/queries.ts";
import type { Note, NoteKind } from "../../domain/note/model.ts";
import { hasOpenIssue, listWorkflowNotes } from "../../domain/note/queries.ts";
import { concealNotes } from "../../domain/note/sight-operations.ts";
import { readViewer } from "../../domain/person/viewer-queries.ts";
import type { Task } from "../../domain/task/model.ts";
import { listTasks, taskIdsIn } from "../../domain/task/queries.ts";
import { concealTask, seesWorkflow } from "../../domain/task/sight-operations.ts";
import type { Work } from "../../domain/work.ts";
import type { Phase } from "../../domain/workflow/brief-model.ts";
import { getAnyMission } from "../../domain/workflow/brief-operations.ts";
import { listPhases } from "../../domain/workflow/brief-queries.ts";
import { defineTool } from "../define.ts";
import {
  decisionLine,
  issueLine,
  MissionEnd,
  milestoneLine,
  missionEnd,
  missionStatus,
  phaseStatus,
  secondsBetween,
  taskStatus,
  timeOf,
} from "./voice/answer.ts";
import { receiptLine } from "./voice/receipt.ts";

const sections = ["decisions", "milestones", "blockers", "phase_summary", "tasks"] as const;
const mostLines = 500;

export default defineTool({
  name: "get_context",
  family: "mission",
  title: "Get a mission's context",
  summary: "Read a mission: its phases, tasks, decisions, milestones and what blocks it, newest first.",
  keywords: "mission state phases decisions read show",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    mission_id: WorkflowId.describe("The mission to read."),
    include: z.array(z.enum(sections)).max(20).describe("What to bring."),
    filter: z
      .strictObject({
        phase: z.number().int().min(1).optional().describe("Only of this phase."),
        agent: z.string().min(1).max(200).optional().describe("Only of this agent."),
        since: z.string().max(50).optional().describe("Only created then or later; ISO 8601."),
      })
      .default({})
      .describe("Narrows decisions, milestones, blockers and tasks."),
  }),
  output: z.object({
    mission_id: WorkflowId,
    mission_name: z.string(),
    mission_status: z.string(),
    current_phase: z.number().int(),
    total_phases: z.number().int(),
    ...MissionEnd.partial().shape,
    phase_summary: z.array(openRecord<ReturnType<typeof phaseLine>>()).optional(),
    decisions: z.array(openRecord<ReturnType<typeof decisionLine>>()).optional(),
    milestones: z.array(openRecord<ReturnType<typeof milestoneLine>>()).optional(),
    blockers: z.array(openRecord<ReturnType<typeof issueLine>>()).optional(),
    tasks: z.array(openRecord<ReturnType<typeof taskLine>>()).optional(),
  }),
  routes: [{ method: "GET", path: "/api/missions/:id", key: "mission_id", args: { include: sections } }],
  refusals: ["NOT_FOUND", "VALIDATION_ERROR"],
  examples: [{ title: "where it stands", input: { mission_id: "$mission", include: ["phase_summary", "blockers"] } }],
  async handle(input, work) {
    const { workflow, brief } = await getAnyMission(work.db, input.mission_id);
    if (!(await seesWorkflow(work, workflow))) {
      throw new Refusal("NOT_FOUND", "No mission has that id.", nextStep("startMission"));
    }
    const { id } = workflow;
    const viewer = await readViewer(work);
    const all = (await listTasks(work.db, id, 10_000)).map((task) => concealTask(task, viewer, workflow));
    const evidence = new Map((await listEvidence(work.db, taskIdsIn(work.db, id))).map((one) => [one.taskId, one]));
    const phases = await listPhases(work.db, id);
    const since = readSince(input.filter.since);
    const tasks = chosenTasks(all, { evidence, phases, filter: input.filter });
    const isNarrowed = input.filter.phase !== undefined || input.filter.agent !== undefined;
    const notes = async (kinds: readonly NoteKind[], onlyOpen = false): Promise<Note[]> => {
      if (isNarrowed && tasks.length === 0) return [];
      const written = await listWorkflowNotes(work.db, {
        workflowId: id,
        kinds,
        taskIds: isNarrowed ? tasks.map((task) => task.id) : undefined,
        since,
        onlyOpen,
        limit: mostLines,
      });
      return concealNotes(work, written, workflow);
    };
    const wants = new Set(input.include);
    return {
      mission_id: id,
      mission_name: workflow.name,
      mission_status: missionStatus({ workflow, brief }, await hasOpenIssue(work.db, id)),
      current_phase: brief?.currentPhase ?? 0,
      total_phases: brief?.totalPhases ?? 0,
      ...missionEnd(brief),
      ...(wants.has("phase_summary")
        ? {
            phase_summary: phases
              .filter(({ number }) => input.filter.phase === undefined || number === input.filter.phase)
              .map((phase) => phaseLine(phase, { all, evidence, work })),
          }
        : {}),
      ...(wants.has("decisions") ? { decisions: (await notes(["decision"])).map(decisionLine) } : {}),
      ...(wants.has("milestones") ? { milestones: (await notes(["milestone"])).map(milestoneLine) } : {}),
      ...(wants.has("blockers") ? { blockers: (await notes(["issue", "blocker"], true)).map(issueLine) } : {}),
      ...(wants.has("tasks")
        ? {
            tasks: tasks
              .filter((task) => since === undefined || task.createdAt >= since)
              .sort((a, b) => b.createdAt - a.createdAt)
              .slice(0, mostLines)
              .map((task) => {
                const sight = viewer.of(task);
                const isShown = !sight.isHidden || viewer.isSelf(workflow.developerId);
                return taskLine(task, isShown ? evidence.get(task.id) : undefined, { phases, owner: sight.owner });
              }),
          }
        : {}),
    };
  },
});

function readSince(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new Refusal("VALIDATION_ERROR", "since is a time in ISO 8601.", "For example 2026-01-31T12:00:00Z.");
  return at;
}

interface Choice {
  readonly evidence: ReadonlyMap<TaskId, TaskEvidence>;
  readonly phases: readonly Phase[];
  readonly filter: { readonly phase?: number | undefined; readonly agent?: string | undefined };
}

function chosenTasks(tasks: readonly Task[], { evidence, phases, filter }: Choice): Task[] {
  const phase = phases.find((one) => one.number === filter.phase);
  return tasks.filter((task) => {
    const own = evidence.get(task.id);
    const isInPhase = filter.phase === undefined || (phase !== undefined && own?.phaseId === phase.id);
    return isInPhase && (filter.agent === undefined || own?.agentName === filter.agent);
  });
}

interface PhaseFacts {
  readonly all: readonly Task[];
  readonly evidence: ReadonlyMap<TaskId, TaskEvidence>;
  readonly work: Work;
}

function phaseLine(phase: Phase, { all, evidence, work }: PhaseFacts) {
  const own = all.filter((task) => evidence.get(task.id)?.phaseId === phase.id);
  return {
    phase_number: phase.number,
    name: phase.name,
    status: phaseStatus(phase),
    tasks_count: own.length,
    duration_seconds: own.reduce((sum, task) => sum + secondsBetween(task.startedAt, task.endedAt ?? work.now), 0),
    started_at: phase.startedAt === null ? null : timeOf(phase.startedAt),
    completed_at: phase.endedAt === null ? null : timeOf(phase.endedAt),
  };
}

interface TaskFacts {
  readonly phases: readonly Phase[];
  readonly owner: string;
}

function taskLine(task: Task, evidence: TaskEvidence | undefined, { phases, owner }: TaskFacts) {
  return {
    id: task.id,
    name: task.name,
    goal: task.description,
    phase: phases.find((phase) => phase.id === evidence?.phaseId)?.number ?? null,
    status: taskStatus(task, evidence),
    caller_type: evidence?.callerType ?? null,
    agent_name: evidence?.agentName ?? null,
    agent_id: task.takenBy,
    owner,
    parent_task_id: evidence?.parentId ?? null,
    started_at: task.startedAt === null ? null : timeOf(task.startedAt),
    completed_at: task.endedAt === null ? null : timeOf(task.endedAt),
    duration_seconds: task.endedAt === null ? null : secondsBetween(task.startedAt, task.endedAt),
    summary: task.outcome,
    receipt: evidence?.receipt ? receiptLine(evidence.receipt) : null,
  };
}
