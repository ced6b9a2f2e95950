import { z } from "zod";
import { DeveloperId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { folderStates, worktreeStatuses } from "../../contract/words.ts";

/** What git told us when the folder was made. */
export const WorktreeFacts = z.object({
  /** The commit that was checked out. */
  head: z.string(),
  /** How many commits the base lacks of its upstream, as far as this machine has heard of them. */
  behind: z.number().nullable(),
  /** Filters that the repository asks for and that were not run. */
  skippedFilters: z.array(z.string()),
});
export type WorktreeFacts = z.infer<typeof WorktreeFacts>;

export const Worktree = z.object({
  id: WorktreeId,
  /** Null where it is an instance's and belongs to no workflow. */
  workflowId: WorkflowId.nullable(),
  developerId: DeveloperId,
  path: z.string(),
  branch: z.string(),
  baseBranch: z.string().nullable(),
  status: z.enum(worktreeStatuses),
  mergeCommit: z.string().nullable(),
  repositoryPath: z.string().nullable(),
  /** The server that made the folder and can reach it. */
  place: z.string().nullable(),
  folder: z.enum(folderStates),
  facts: WorktreeFacts.nullable(),
  /** Why the last piece of work on the folder was given up. */
  problem: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Worktree = z.infer<typeof Worktree>;
/** One that belongs to a workflow. */
export type WorkflowWorktree = Worktree & { readonly workflowId: NonNullable<Worktree["workflowId"]> };
export type WorktreeStatus = Worktree["status"];

/** Somebody can work in it. */
export const isReady = (worktree: Pick<Worktree, "folder">): boolean =>
  worktree.folder === "foreign" || worktree.folder === "ready";
