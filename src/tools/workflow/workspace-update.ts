import { z } from "zod";
import { WorktreeId } from "../../contract/ids.ts";
import { worktreeStatuses } from "../../contract/words.ts";
import { updateWorktree } from "../../domain/worktree/operations.ts";
import { getWorktree } from "../../domain/worktree/queries.ts";
import { defineTool } from "../define.ts";
import { Success } from "./voice/answer.ts";

export default defineTool({
  name: "workspace_update",
  family: "workflow",
  title: "Update a workspace",
  summary: "Mark a worktree as merged or abandoned, and remove its folder if you no longer need it.",
  guidance:
    "A merged one needs merge_commit. Before a folder is removed, everything in it except ignored files is stored.",
  keywords: "merged remove delete worktree abandon",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    id: WorktreeId.describe("The workspace."),
    status: z.enum(worktreeStatuses).optional().describe("The new status."),
    merge_commit: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe("The commit that merged it; required for merged."),
    cleanup_worktree: z
      .boolean()
      .default(false)
      .describe("Remove the folder of a merged or abandoned workspace once its content is stored."),
  }),
  output: Success.extend({
    id: WorktreeId.optional().describe("Set when the folder is to be removed."),
    removed: z.boolean().optional().describe("The folder is gone; its content can be restored from the vault."),
    problem: z.string().nullable().optional().describe("Why the folder is still there."),
  }),
  refusals: ["WORKSPACE_NOT_FOUND", "FORBIDDEN", "INVALID_TRANSITION", "INVALID_STATE", "MISSING_MERGE_COMMIT"],
  examples: [{ title: "given up", input: { id: "$workspace", status: "abandoned" } }],
  async handle({ id, status, merge_commit, cleanup_worktree }, work) {
    await updateWorktree(work, id, { status, mergeCommit: merge_commit, cleansUp: cleanup_worktree });
    return cleanup_worktree ? { success: true as const, id } : { success: true as const };
  },
  afterwards: {
    waitMs: 30_000,
    async read(answer, work) {
      if (answer.id === undefined) return answer;
      const { folder, problem } = await getWorktree(work.db, WorktreeId.parse(answer.id));
      return { ...answer, removed: folder === "removed", problem };
    },
  },
});
