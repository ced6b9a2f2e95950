import type { WorktreeId } from "../../contract/ids.ts";
import type { VaultCounts, VaultTrees } from "./vault-model.ts";

export type { VaultCounts, VaultTrees };

/** What is asked of git and what it answers, in plain data: payloads and results of outside work are kept as JSON. */

export interface WorktreePorts {
  /** Whether a worktree may be put there; refuses with the reason if not. Nothing is made yet. */
  checkGround(ask: GroundAsk, signal: AbortSignal): Promise<Ground>;
}

/** Where a worktree should go. Paths are absolute. */
export interface GroundAsk {
  readonly repositoryPath: string;
  readonly path: string;
  /** Left out where only the place is asked about. */
  readonly branch?: string | undefined;
  readonly baseBranch?: string | null | undefined;
}

/** The same places without links on the way. */
export interface Ground {
  readonly repositoryPath: string;
  readonly path: string;
}

export interface MakeWorktree {
  readonly worktreeId: WorktreeId;
  readonly repositoryPath: string;
  readonly path: string;
  readonly branch: string;
  /** Where the branch begins if it does not exist; the repository's own HEAD if null. */
  readonly baseBranch: string | null;
  /** Where a new branch begins, whatever the base has become meanwhile. */
  readonly commit?: string | undefined;
}

export interface MadeWorktree {
  /** Both without links on the way. */
  readonly repositoryPath: string;
  readonly path: string;
  readonly head: string;
  readonly behind: number | null;
  readonly skippedFilters: readonly string[];
}

export interface StoreWorktree {
  readonly worktreeId: WorktreeId;
  readonly repositoryPath: string;
  readonly path: string;
  readonly baseBranch: string | null;
  /** Which copy of this worktree it is; part of the ref's name. */
  readonly number: number;
  /** The time of the copy's commit: a repeated run makes the very same commit. */
  readonly at: number;
}

export interface StoredWorktree {
  readonly repositoryPath: string;
  readonly ref: string;
  readonly branch: string | null;
  readonly head: string | null;
  readonly trees: VaultTrees;
  readonly counts: VaultCounts;
  readonly bytes: number;
  readonly isMerged: boolean;
}

export interface RemoveWorktree {
  readonly worktreeId: WorktreeId;
  readonly repositoryPath: string;
  readonly path: string;
  /** What was stored. A folder that holds anything else by now is not removed. */
  readonly head: string | null;
  readonly trees: VaultTrees;
}

export interface RemovedWorktree {
  /** It has changed since it was stored and is still there. */
  readonly hasChanged: boolean;
}

export interface RestoreWorktree {
  readonly repositoryPath: string;
  readonly path: string;
  readonly branch: string | null;
  readonly head: string | null;
  readonly trees: VaultTrees;
}

export interface RestoredWorktree {
  readonly path: string;
  /** False where the branch has moved on or is in use elsewhere: HEAD then stands on the stored commit itself. */
  readonly isOnBranch: boolean;
  /** The folder was read back and is what was stored. */
  readonly isExact: boolean;
}

export interface DropCopy {
  readonly repositoryPath: string;
  readonly ref: string;
  readonly commit: string;
}
