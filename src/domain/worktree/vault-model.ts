import { z } from "zod";
import { DeveloperId, VaultId, WorktreeId } from "../../contract/ids.ts";

/** The objects a copy consists of; the commit holds all the others. */
export const VaultTrees = z.object({
  commit: z.string(),
  /** Tracked files as they lay on the disk. */
  worktree: z.string(),
  staged: z.string(),
  untracked: z.string(),
  /** The index, byte for byte; null where there was none. */
  index: z.string().nullable(),
  /** What git noted for this worktree alone: a merge or rebase under way, the log of its HEAD. */
  state: z.string(),
});
export type VaultTrees = z.infer<typeof VaultTrees>;

export const VaultCounts = z.object({
  /** Commits that the base does not have. */
  commits: z.number(),
  staged: z.number(),
  unstaged: z.number(),
  untracked: z.number(),
  /** Not kept: what the repository itself calls rebuildable. */
  ignored: z.number(),
});
export type VaultCounts = z.infer<typeof VaultCounts>;

/** A copy of everything a removed worktree held and the repository would otherwise have lost. */
export const VaultEntry = z.object({
  id: VaultId,
  worktreeId: WorktreeId,
  developerId: DeveloperId,
  place: z.string(),
  repositoryPath: z.string(),
  /** Where the worktree was. */
  path: z.string(),
  /** The hidden ref that keeps git from cleaning the copy away. */
  ref: z.string(),
  /** A full ref name; null where HEAD was detached. */
  branch: z.string().nullable(),
  head: z.string().nullable(),
  trees: VaultTrees,
  counts: VaultCounts,
  bytes: z.number(),
  /** The base has all of it. */
  isMerged: z.boolean(),
  createdAt: z.number(),
  restoredAt: z.number().nullable(),
  restoredTo: z.string().nullable(),
  droppedAt: z.number().nullable(),
  problem: z.string().nullable(),
  version: z.number(),
});
export type VaultEntry = z.infer<typeof VaultEntry>;
