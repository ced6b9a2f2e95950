import { z } from "zod";
import { TaskId, WorkflowId } from "../../contract/ids.ts";
import { shortened } from "../../contract/shortened.ts";
import { findNextTasks } from "../../domain/context/operations.ts";
import { getSeenWorkflow } from "../../domain/task/sight-operations.ts";
import { defineTool } from "../define.ts";
import { sayWorkflow } from "./voice/words.ts";
import { WorkflowStatus } from "./voice/work.ts";

export default defineTool({
  name: "workflow_next_tasks",
  family: "workflow",
  title: "Get the next tasks",
  summary: "List the tasks of a workflow that are ready, and how many of them to start.",
  guidance: "Take one with task_claim.",
  keywords: "ready can start next",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    workflow_id: WorkflowId.describe("The workflow."),
    include_failed: z.boolean().default(true).describe("Failed tasks too, to try again."),
  }),
  output: z.object({
    tasks: z
      .array(
        z.object({
          id: TaskId,
          name: z.string(),
          description: z.string().describe("Its first 1,000 characters; task_get has all of it."),
          can_parallelize: z.boolean().describe("It is in a parallel group."),
          parallel_with: z.array(TaskId).optional().describe("The first fifty others of its group."),
          dependencies_completed: z.array(TaskId),
        }),
      )
      .describe("By sequence, then by name; at least the first hundred."),
    max_parallel: z.number().int(),
    recommended_count: z.number().int().describe("How many of these should begin, beside those that run already."),
    workflow_status: WorkflowStatus,
    all_complete: z.boolean(),
  }),
  refusals: ["WORKFLOW_NOT_FOUND"],
  examples: [{ title: "what now", input: { workflow_id: "$workflow" } }],
  async handle(input, work) {
    await getSeenWorkflow(work, input.workflow_id);
    const next = await findNextTasks(work.db, input.workflow_id, { includesFailed: input.include_failed });
    return {
      tasks: next.tasks.map(({ task, parallelWith, dependencies }) => ({
        id: task.id,
        name: task.name,
        description: shortened(task.description, 1_000),
        can_parallelize: task.parallelGroup !== null,
        ...(task.parallelGroup === null ? {} : { parallel_with: [...parallelWith] }),
        dependencies_completed: [...dependencies],
      })),
      max_parallel: next.workflow.maxParallel,
      recommended_count: next.recommended,
      workflow_status: sayWorkflow(next.workflow.status),
      all_complete: next.isAllFinished,
    };
  },
});
