import { homedir } from "node:os";
import { join } from "node:path";

/** What the companion keeps for one account, beside the homes of servers. */
export interface Companion {
  readonly dir: string;
  readonly binDir: string;
  /** What hooks of clients call. */
  readonly hookFile: string;
  /** What clients start to speak MCP. */
  readonly mcpFile: string;
  /** What the service of the watcher starts. */
  readonly watchShim: string;
  /** What setup has changed, and how it was before. */
  readonly manifestFile: string;
  readonly backupsDir: string;
  /** Repositories that agents of this machine work in. */
  readonly reposFile: string;
  readonly sessionsDir: string;
  /** What the server could not be asked or told. */
  readonly journalFile: string;
  readonly telemetryDir: string;
  readonly watchFile: string;
  /** What the watcher has told, which a kill must not make it forget. */
  readonly toldFile: string;
}

export function companionAt(userHome = homedir()): Companion {
  const dir = join(userHome, ".covibe");
  return {
    dir,
    binDir: join(dir, "bin"),
    hookFile: join(dir, "bin", "hook"),
    mcpFile: join(dir, "bin", "covibe-mcp"),
    watchShim: join(dir, "bin", "covibe-watch"),
    manifestFile: join(dir, "setup.json"),
    backupsDir: join(dir, "backups"),
    reposFile: join(dir, "repos.json"),
    sessionsDir: join(dir, "sessions"),
    journalFile: join(dir, "journal.jsonl"),
    telemetryDir: join(dir, "usage"),
    watchFile: join(dir, "watch.json"),
    toldFile: join(dir, "told.json"),
  };
}

/** Where other programs leave usage reports of a repository's agents. */
export const inboxOf = (repository: string): string => join(repository, ".covibe", "telemetry");
