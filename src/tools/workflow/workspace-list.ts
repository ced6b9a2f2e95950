import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { worktreeStatuses } from "../../contract/words.ts";
import { listTaskIdsByWorktree } from "../../domain/task/queries.ts";
import { getSeenWorkflow } from "../../domain/task/sight-operations.ts";
import { listWorktrees } from "../../domain/worktree/queries.ts";
import { defineTool } from "../define.ts";
import { WorkspaceRecord, workspaceRecord } from "./voice/work.ts";

export default defineTool({
  name: "workspace_list",
  family: "workflow",
  title: "List workspaces",
  summary: "See the worktrees of a workflow and which tasks are done in them.",
  keywords: "worktrees all belong",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    workflow_id: WorkflowId.describe("The workflow."),
    status: z.array(z.enum(worktreeStatuses)).min(1).max(3).optional().describe("Only with these statuses."),
  }),
  output: z.object({ workspaces: z.array(WorkspaceRecord) }),
  refusals: ["WORKFLOW_NOT_FOUND"],
  examples: [{ title: "in use", input: { workflow_id: "$workflow", status: ["active"] } }],
  async handle(input, work) {
    await getSeenWorkflow(work, input.workflow_id);
    const worktrees = await listWorktrees(work.db, input.workflow_id, input.status);
    const taskIds = await listTaskIdsByWorktree(work.db, input.workflow_id);
    return { workspaces: worktrees.map((worktree) => workspaceRecord(worktree, taskIds.get(worktree.id) ?? [])) };
  },
});
