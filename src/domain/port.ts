import type { Caller } from "../contract/caller.ts";
import type { Db } from "../storage/db.ts";

/**
 * What the domain needs of the world, in its own words; adapters do it. Asked before a transaction, never inside one:
 * a transaction that waits for a disk or a process would hold up everyone.
 */
export interface Ports {
  /** Templates kept as files: in the folders of these repositories, and in the user's own. */
  readTemplateFiles(repositoryPaths: readonly string[], signal: AbortSignal): Promise<TemplateFile[]>;
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

export interface TemplateFile {
  /** `file:` and where it lies; stable while the file stays where it is. */
  readonly id: string;
  readonly name: string;
  /** As parsed from JSON or YAML; not checked yet. */
  readonly content: unknown;
}

/** What a tool may use to look around before it works. */
export interface Look {
  readonly caller: Caller;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  read<T>(body: (db: Db) => Promise<T>): Promise<T>;
}
