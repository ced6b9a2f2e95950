export interface ProjectPorts {
  /** Whether the server is reached from its own machine alone; else only registered repositories are looked at (RL3). */
  readonly isLocal: boolean;
  /** The repository a folder lies in. Nothing is written, and none of its programs or hooks are run. */
  locate(folder: string, signal: AbortSignal): Promise<Located | "missing" | "none">;
  /** The path of a folder with every link on the way followed; undefined where there is none. */
  withoutLinks(folder: string): string | undefined;
}

export interface Located {
  /** The top folder of the working tree, without links in it. */
  readonly root: string;
  /** The top folder of the repository that this is a worktree of; the same as `root` in an ordinary one. */
  readonly main: string;
  /**
   * What git would read it from that lies neither in it nor in a repository which names it as a worktree: a git folder,
   * objects or refs behind a link, objects that it borrows. Only an open server asks.
   */
  readonly elsewhere: readonly string[];
}
