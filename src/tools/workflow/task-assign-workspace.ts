import { z } from "zod";
import { TaskId, WorktreeId } from "../../contract/ids.ts";
import { assignTask } from "../../domain/worktree/operations.ts";
import { defineTool } from "../define.ts";
import { Success, success } from "./voice/answer.ts";

export default defineTool({
  name: "task_assign_workspace",
  family: "workflow",
  title: "Assign a task to a workspace",
  summary: "Assign a task to a worktree.",
  keywords: "worktree put in",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task."),
    workspace_id: WorktreeId.describe("An active workspace of the same workflow."),
  }),
  output: Success,
  refusals: ["TASK_NOT_FOUND", "WORKSPACE_NOT_FOUND", "WORKFLOW_MISMATCH", "INVALID_STATE", "FORBIDDEN"],
  examples: [{ title: "its own worktree", input: { task_id: "$task", workspace_id: "$workspace" } }],
  async handle(input, work) {
    await assignTask(work, input.task_id, input.workspace_id);
    return success;
  },
});
