import { z } from "zod";
import { TaskId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { registerWorktree } from "../../domain/worktree/operations.ts";
import { defineTool } from "../define.ts";

export default defineTool({
  name: "workspace_create",
  family: "workflow",
  title: "Register a workspace",
  summary: "Make a git worktree known in which tasks of a workflow are done.",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    workflow_id: WorkflowId.describe("The workflow."),
    path: z.string().min(1).max(4_096).describe("The absolute path of the worktree."),
    branch: z.string().min(1).max(250).describe("The branch checked out in it."),
    base_branch: z.string().min(1).max(250).optional().describe("The branch it came from."),
    task_ids: z.array(TaskId).max(1_000).default([]).describe("Tasks that are done in it."),
  }),
  output: z.object({ id: WorktreeId }),
  refusals: ["WORKFLOW_NOT_FOUND", "TASK_NOT_FOUND", "WORKFLOW_MISMATCH", "FORBIDDEN", "INVALID_INPUT"],
  examples: [
    {
      title: "beside the repository",
      input: { workflow_id: "$workflow", path: "/srv/code/shop-worktrees/login", branch: "work/login" },
    },
  ],
  async handle(input, work) {
    const worktree = await registerWorktree(work, {
      workflowId: input.workflow_id,
      path: input.path,
      branch: input.branch,
      baseBranch: input.base_branch ?? null,
      taskIds: input.task_ids,
    });
    return { id: worktree.id };
  },
});
