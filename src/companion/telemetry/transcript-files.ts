import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ClientSession } from "../sessions.ts";

/** A transcript on this machine, and the session it belongs to where a hook has told us. */
export interface TranscriptFile {
  readonly client: string;
  readonly path: string;
  readonly session_id?: string;
  readonly base_url?: string;
  /** Nothing comes after what is there. */
  readonly isEnded: boolean;
}

const mostSubAgents = 200;

/** What hooks have named, with the files of sub-agents beside it: nobody else's transcripts are looked at. */
export function listTranscripts(sessions: readonly ClientSession[]): TranscriptFile[] {
  return sessions.flatMap(({ client, transcript, session_id, base_url, ended_at }) => {
    if (transcript === undefined) return [];
    const common = {
      client,
      session_id,
      isEnded: ended_at !== undefined,
      ...(base_url === undefined ? {} : { base_url }),
    };
    return [transcript, ...subAgentsOf(client, transcript)].map((path) => ({ ...common, path }));
  });
}

/** Claude Code keeps them in a folder of the session's own name. */
function subAgentsOf(client: string, transcript: string): string[] {
  if (client !== "claude-code") return [];
  const folder = join(
    dirname(transcript),
    transcript.slice(dirname(transcript).length + 1, -".jsonl".length),
    "subagents",
  );
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .slice(0, mostSubAgents)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** How far a file has been read. Another file of the same name begins anew. */
export interface Mark {
  readonly inode: number;
  readonly offset: number;
}

const largestPiece = 8 * 1024 * 1024;

/** The whole lines that have been added since; undefined where there are none. */
export function readOn(path: string, mark: Mark | undefined): { text: string; mark: Mark; isNew: boolean } | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  const isNew = mark === undefined || mark.inode !== stats.ino || mark.offset > stats.size;
  const offset = isNew ? 0 : mark.offset;
  const length = Math.min(stats.size - offset, largestPiece);
  if (length <= 0) return undefined;
  const bytes = Buffer.alloc(length);
  const file = openSync(path, "r");
  try {
    const count = readSync(file, bytes, 0, length, offset);
    const end = bytes.lastIndexOf(0x0a, count - 1) + 1;
    // A line longer than a piece is no line of usage.
    const used = end === 0 && count === largestPiece ? count : end;
    if (used === 0) return undefined;
    return { text: bytes.toString("utf8", 0, end), mark: { inode: stats.ino, offset: offset + used }, isNew };
  } finally {
    closeSync(file);
  }
}
