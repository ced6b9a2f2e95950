import { z } from "zod";
import { DeveloperId, WorkflowId, WorktreeId } from "../../contract/ids.ts";

export const worktreeStatuses = ["active", "merged", "abandoned"] as const;

export const Worktree = z.object({
  id: WorktreeId,
  workflowId: WorkflowId,
  developerId: DeveloperId,
  path: z.string(),
  branch: z.string(),
  baseBranch: z.string().nullable(),
  status: z.enum(worktreeStatuses),
  mergeCommit: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Worktree = z.infer<typeof Worktree>;
export type WorktreeStatus = Worktree["status"];
