import { z } from "zod";
import { TaskId, WorkflowId } from "../../contract/ids.ts";
import { readProgress } from "../../domain/context/operations.ts";
import { isFinished } from "../../domain/lifecycle.ts";
import { defineTool } from "../define.ts";
import { sayTask, taskStatuses } from "./words.ts";

export default defineTool({
  name: "workflow_progress",
  family: "workflow",
  title: "Get a workflow's progress",
  summary: "See how far a workflow is: counts, what waits for what, what is left.",
  effect: "read",
  callers: ["agent"],
  input: z.object({ workflow_id: WorkflowId.describe("The workflow.") }),
  output: z.object({
    total_tasks: z.number().int(),
    by_status: z.record(z.string(), z.number().int()),
    completed_sequence: z.number().int().describe("Everything up to here is finished."),
    current_sequence: z.number().int().describe("The lowest with unfinished work; 0 when there is none."),
    blocked_tasks: z
      .array(z.object({ id: TaskId, name: z.string(), blocked_by: z.array(z.string()) }))
      .describe("The first hundred."),
    parallel_groups: z.array(z.object({ group_id: z.string(), task_count: z.number(), completed: z.number() })),
    estimated_remaining: z.number().int().describe("Tasks that are not finished."),
    eta_seconds: z.number().int().optional().describe("At the pace so far; from the third finished task on."),
  }),
  refusals: ["WORKFLOW_NOT_FOUND"],
  examples: [{ title: "how far", input: { workflow_id: "$workflow" } }],
  async handle({ workflow_id }, work) {
    const progress = await readProgress(work.db, workflow_id, work.now);
    const byStatus: Record<string, number> = Object.fromEntries(taskStatuses.map((status) => [status, 0]));
    let remaining = 0;
    for (const { status, count, waiting } of progress.counts) {
      const blocked = status === "planned" ? waiting : 0;
      byStatus["blocked"] = (byStatus["blocked"] ?? 0) + blocked;
      byStatus[sayTask(status)] = (byStatus[sayTask(status)] ?? 0) + count - blocked;
      if (!isFinished(status)) remaining += count;
    }
    return {
      total_tasks: progress.counts.reduce((sum, { count }) => sum + count, 0),
      by_status: byStatus,
      completed_sequence: progress.completedSequence,
      current_sequence: progress.currentSequence,
      blocked_tasks: progress.waiting.map(({ task, blockedBy }) => ({
        id: task.id,
        name: task.name,
        blocked_by: [...blockedBy],
      })),
      parallel_groups: progress.groups.map(({ group, count, finished }) => ({
        group_id: group,
        task_count: count,
        completed: finished,
      })),
      estimated_remaining: remaining,
      ...(progress.etaSeconds === null ? {} : { eta_seconds: progress.etaSeconds }),
    };
  },
});
