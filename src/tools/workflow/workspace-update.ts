import { z } from "zod";
import { WorktreeId } from "../../contract/ids.ts";
import { worktreeStatuses } from "../../domain/worktree/model.ts";
import { updateWorktree } from "../../domain/worktree/operations.ts";
import { defineTool } from "../define.ts";
import { Success, success } from "./voice.ts";

export default defineTool({
  name: "workspace_update",
  family: "workflow",
  title: "Update a workspace",
  summary: "Note that a worktree was merged or given up.",
  guidance: "merged needs merge_commit. Nothing on disk is touched.",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    id: WorktreeId.describe("The workspace."),
    status: z.enum(worktreeStatuses).optional().describe("Where it goes."),
    merge_commit: z
      .string()
      .regex(/^[0-9a-f]{7,64}$/i, "a commit's hexadecimal id")
      .optional()
      .describe("The commit that merged it; required for merged."),
  }),
  output: Success,
  refusals: ["WORKSPACE_NOT_FOUND", "FORBIDDEN", "INVALID_TRANSITION", "MISSING_MERGE_COMMIT"],
  examples: [{ title: "given up", input: { id: "$workspace", status: "abandoned" } }],
  async handle(input, work) {
    await updateWorktree(work, input.id, { status: input.status, mergeCommit: input.merge_commit });
    return success;
  },
});
