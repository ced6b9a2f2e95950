import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { setParallelism } from "../../domain/workflow/operations.ts";
import { defineTool } from "../define.ts";
import { Success, success } from "./voice/answer.ts";

export default defineTool({
  name: "workflow_set_parallelism",
  family: "workflow",
  title: "Set a workflow's parallelism",
  summary: "Set how many of a workflow's tasks may run at once.",
  keywords: "concurrent limit how many at the same time",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    id: WorkflowId.describe("The workflow."),
    max_parallel_tasks: z.number().int().min(1).max(1_000).describe("1 means one after the other."),
    auto_create_workspaces: z.boolean().optional().describe("Give parallel tasks worktrees of their own."),
  }),
  output: Success,
  refusals: ["WORKFLOW_NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "three at once", input: { id: "$workflow", max_parallel_tasks: 3 } }],
  async handle(input, work) {
    await setParallelism(work, input.id, {
      maxParallel: input.max_parallel_tasks,
      makesWorktrees: input.auto_create_workspaces,
    });
    return success;
  },
});
