import { z } from "zod";
import { PhaseId, TaskId, WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { callerTypes } from "../../contract/words.ts";
import { noSnapshot, startWithEvidence } from "../../domain/evidence/operations.ts";
import { normaliseRepositoryPath } from "../../domain/project/operations.ts";
import { defineTool } from "../define.ts";
import { Name, Time, timeOf } from "./voice/answer.ts";

export default defineTool({
  name: "start_task",
  family: "mission",
  title: "Start a task",
  summary: "Start a mission task with a snapshot of the repository, so that complete_task can prove what changed.",
  guidance: "End it with complete_task.",
  keywords: "snapshot begin mission git proof",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    workflow_id: WorkflowId.optional().describe("The workflow it belongs to, where there is no mission."),
    parent_task_id: TaskId.nullable().optional().describe("The task it is part of."),
    mission_id: WorkflowId.optional().describe("The mission it belongs to."),
    phase: z.number().int().min(1).max(1_000).optional().describe("The phase's number; made when it is new."),
    phase_name: z.string().trim().min(1).max(200).optional().describe("What a new phase is called."),
    caller_type: z.enum(callerTypes).optional().describe("Who starts it."),
    agent_name: z.string().trim().min(1).max(200).optional().describe("The name of the agent that does it."),
    name: Name.describe("What it is called."),
    goal: z.string().trim().min(1).max(20_000).describe("The exact goal."),
    areas: z.array(z.string().trim().min(1).max(500)).max(200).default([]).describe("Parts of the code it will touch."),
    repository_path: z.string().min(1).max(4_096).optional().describe("The repository, if not the one you work in."),
  }),
  output: z.object({
    task_id: TaskId,
    snapshot_id: z.string(),
    snapshot_type: z.string(),
    started_at: Time,
    phase_id: PhaseId.nullable(),
    phase_created: z.boolean(),
    caller_type: z.enum(callerTypes).nullable(),
    agent_name: z.string().nullable(),
    warning: z.string().optional().describe("Why its end can't prove what changed."),
  }),
  refusals: ["NOT_FOUND", "INVALID_STATE", "GIT_ERROR", "INVALID_INPUT", "FORBIDDEN"],
  examples: [
    {
      title: "in the first phase",
      input: { mission_id: "$mission", phase: 1, name: "Set up", goal: "The skeleton stands." },
    },
  ],
  async observe({ repository_path }, look) {
    const { takeSnapshot } = look.ports.evidence;
    if (repository_path !== undefined) return takeSnapshot(normaliseRepositoryPath(repository_path), look.signal);
    // A server on another machine cannot see the client's folder; the task starts all the same, without a proof.
    return takeSnapshot(look.folder, look.signal).catch((error: unknown) => {
      const isOutOfReach = error instanceof Refusal && (error.code === "GIT_ERROR" || error.code === "FORBIDDEN");
      if (isOutOfReach) return noSnapshot(look.folder);
      throw error;
    });
  },
  async handle(input, work, snapshot) {
    const workflowId = input.mission_id ?? input.workflow_id;
    if (workflowId === undefined) {
      throw new Refusal(
        "NOT_FOUND",
        "A task belongs to a mission or a workflow.",
        "Pass mission_id, or start one first.",
      );
    }
    const { task, phase, isNewPhase } = await startWithEvidence(work, {
      workflowId,
      besideId: input.workflow_id,
      parentId: input.parent_task_id ?? null,
      phase: { number: input.phase, name: input.phase_name },
      name: input.name,
      goal: input.goal,
      areas: input.areas,
      callerType: input.caller_type ?? null,
      agentName: input.agent_name ?? null,
      snapshot,
    });
    return {
      task_id: task.id,
      snapshot_id: snapshot.id,
      snapshot_type: snapshot.type,
      started_at: timeOf(task.startedAt ?? work.now),
      phase_id: phase?.id ?? null,
      phase_created: isNewPhase,
      caller_type: input.caller_type ?? null,
      agent_name: input.agent_name ?? null,
      ...(snapshot.problem !== undefined && { warning: snapshot.problem }),
    };
  },
});
