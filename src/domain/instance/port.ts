/** What instances ask of the world. */
export interface InstancePorts {
  /** The work tree that a folder lies in, as it is now; undefined where git knows of none. */
  readWorkTree(folder: string, signal: AbortSignal): Promise<WorkTree | undefined>;
}

/** A work tree, as git sees it. Paths are without links. */
export interface WorkTree {
  readonly path: string;
  /** The repository's main folder; of a bare one, itself. */
  readonly repositoryPath: string;
  /** Null where HEAD stands on a commit and on no branch. */
  readonly branch: string | null;
  /** Null before the first commit. */
  readonly head: string | null;
  /** What such work is usually merged into: the remote's default branch, else main or master; null if that is unknown. */
  readonly baseBranch: string | null;
  /** Names of files that differ from the commit, staged or not, untracked ones too; the first hundred. */
  readonly uncommitted: readonly string[];
  readonly uncommittedCount: number;
  /** A merge, rebase or the like that was begun and not finished. */
  readonly underWay: string | null;
}
