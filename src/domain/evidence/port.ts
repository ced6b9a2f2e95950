/** What is asked about the work in a folder, and what is answered: plain data, as it is kept with a receipt. */

export interface EvidencePorts {
  /** How a folder is right now: its commit and what differs from it, or checksums where there is no git. */
  takeSnapshot(folder: string, signal: AbortSignal): Promise<FolderSnapshot>;
  /** What is different from a snapshot now (EV1). */
  compareSnapshot(snapshot: FolderSnapshot, signal: AbortSignal): Promise<FolderChanges>;
  /** Which tree lies in a folder now. */
  identifyTree(folder: string, signal: AbortSignal): Promise<TreeIdentity>;
  /** Which of these files no longer are what they were. */
  listStale(ask: FilesAsk, signal: AbortSignal): Promise<string[]>;
  /** What changed files held before and after, one file after the other. */
  readSides(ask: SidesAsk, signal: AbortSignal): AsyncIterable<Sides>;
  /** The checks that a repository configures; undefined where it has none. Nothing is run. */
  readChecks(folder: string, signal: AbortSignal): Promise<ConfiguredChecks | undefined>;
  /** Runs the checks of a folder, if their configuration and the tree are still these. */
  runChecks(ask: ChecksAsk, signal: AbortSignal): Promise<CheckRun>;
}

export interface FilesAsk {
  readonly type: FolderSnapshot["type"];
  readonly root: string;
  readonly hashes: Readonly<Record<string, string | null>>;
}

export interface SidesAsk {
  readonly type: FolderSnapshot["type"];
  readonly root: string;
  /** The commit at the start; null where it is not known. */
  readonly head: string | null;
  /** By what they were and became; undefined for what the commit has there. */
  readonly files: readonly {
    readonly path: string;
    readonly before: string | null | undefined;
    readonly after: string | null;
  }[];
  readonly mostBytes: number;
}

export interface Sides {
  readonly path: string;
  readonly before: Side | null;
  readonly after: Side | null;
}

/** What lay at a path. `gone` means that its content is no longer to be had. */
export interface Side {
  readonly thing: "file" | "executable" | "link" | "submodule" | null;
  readonly content: Buffer | "gone" | "too_large";
}

/** Programs that a repository's own configuration names. */
export interface ConfiguredChecks {
  /** What stands for the repository, whichever of its worktrees is asked about. */
  readonly repository: string;
  readonly configHash: string;
  /** Why the configuration cannot be used; then there are no checks. */
  readonly problem: string | null;
  readonly checks: readonly ConfiguredCheck[];
}

export interface ConfiguredCheck {
  readonly name: string;
  /** A program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly timeoutMs: number;
}

export interface ChecksAsk {
  readonly folder: string;
  readonly configHash: string;
  /** The tree they must be run on, from beginning to end. */
  readonly tree: TreeIdentity;
}

export interface CheckRun {
  /** `moved` means that the tree or the configuration was not, or did not stay, the one that was asked about. */
  readonly state: "done" | "moved";
  readonly results: readonly CheckOutcome[];
}

export interface CheckOutcome {
  readonly name: string;
  readonly status: "passed" | "failed" | "timed_out" | "too_much_output" | "not_started";
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** SHA-256 of all that it said. */
  readonly outputHash: string;
  /** The end of what it said, within limits. */
  readonly lastLines: string;
}

export interface FolderSnapshot {
  readonly type: "git" | "checksum" | "none";
  readonly id: string;
  readonly root: string;
  readonly head: string | null;
  readonly files: Record<string, string | null>;
  /** Why there is none. */
  readonly problem?: string | undefined;
  /** Size, times and place of what was read, so that what is untouched need not be read again. */
  readonly stamps?: Record<string, string> | undefined;
  /** The commits before `head`, nearest first: should that be rewritten and removed, one of them is the merge base. */
  readonly ancestors?: string[] | undefined;
  /** The branch that was checked out, and where every branch stood: what was on one of them is not this task's work. */
  readonly branch?: string | null | undefined;
  readonly refs?: Record<string, string> | undefined;
}

export interface FolderChanges {
  readonly added: string[];
  readonly modified: string[];
  readonly deleted: string[];
  readonly warnings: string[];
  /** Nothing is missing: there was a snapshot, and what it was taken of is still known. */
  readonly isComplete: boolean;
  readonly start: TreeIdentity;
  readonly end: TreeIdentity;
  readonly hashes: Record<string, string | null>;
  /** What changed files held before the task touched them, where others had changed them since the start. */
  readonly before?: Record<string, string | null> | undefined;
}

/** Which tree lies in a folder: its commit, and a digest of all that differs from it. */
export interface TreeIdentity {
  readonly head: string | null;
  readonly digest: string;
}
