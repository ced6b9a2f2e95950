import { z } from "zod";
import { VaultId, WorktreeId } from "../../../contract/ids.ts";
import type { VaultEntry } from "../../../domain/worktree/vault-model.ts";
import { timeOf, timeOrNull } from "../../time.ts";

/** How copies of removed worktrees are written. */

export const CopyRecord = z.object({
  id: VaultId,
  worktree_id: WorktreeId,
  repository_path: z.string(),
  path: z.string().describe("Where the worktree was."),
  ref: z.string().describe("The hidden ref that keeps it."),
  branch: z.string().nullable().describe("Null where HEAD was detached."),
  head: z.string().nullable(),
  commits: z.number().int().describe("Commits that the base did not have."),
  staged: z.number().int(),
  unstaged: z.number().int(),
  untracked: z.number().int(),
  ignored: z.number().int().describe("Ignored files and folders; they were not kept."),
  bytes: z.number().int().describe("Size of what was changed or untracked."),
  merged: z.boolean().describe("The base has all of it."),
  created_at: z.string(),
  restored_at: z.string().nullable(),
  restored_to: z.string().nullable(),
  dropped_at: z.string().nullable(),
  problem: z.string().nullable(),
});

export const copyRecord = (entry: VaultEntry): z.input<typeof CopyRecord> => ({
  id: entry.id,
  worktree_id: entry.worktreeId,
  repository_path: entry.repositoryPath,
  path: entry.path,
  ref: entry.ref,
  branch: entry.branch,
  head: entry.head,
  ...entry.counts,
  bytes: entry.bytes,
  merged: entry.isMerged,
  created_at: timeOf(entry.createdAt),
  restored_at: timeOrNull(entry.restoredAt),
  restored_to: entry.restoredTo,
  dropped_at: timeOrNull(entry.droppedAt),
  problem: entry.problem,
});
