import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readJsonFile, writeJsonFile } from "./files.ts";
import type { Companion } from "./places.ts";

/** A session of a client, and what the server calls it. */
export interface ClientSession {
  readonly client: string;
  readonly session: string;
  readonly session_id: string;
  /** Sessions that the agent started by itself: what they hold is its own. */
  readonly own: readonly string[];
  readonly repository: string;
  readonly base_url?: string;
  readonly transcript?: string;
  readonly seen_at: string;
  /** It is over, and is kept until its transcript has been read to the end. */
  readonly ended_at?: string;
  /** The server could not be told that it is over. */
  readonly is_end_untold?: true;
}

/** A client that nobody has heard of for this long does not speak for its working copy. */
export const liveMs = 30 * 60_000;

/** Names of clients' sessions are anybody's text, and no file names. */
const fileOf = ({ sessionsDir }: Companion, client: string, session: string): string =>
  join(sessionsDir, `${client}-${createHash("sha256").update(session).digest("hex").slice(0, 24)}.json`);

export function readSession(companion: Companion, client: string, session: string): ClientSession | undefined {
  const found = readJsonFile(fileOf(companion, client, session)) as ClientSession | null;
  return typeof found?.session_id === "string" ? { ...found, own: found.own ?? [] } : undefined;
}

export const writeSession = (companion: Companion, session: ClientSession): void =>
  writeJsonFile(fileOf(companion, session.client, session.session), session);

export const removeSession = (companion: Companion, client: string, session: string): void =>
  rmSync(fileOf(companion, client, session), { force: true });

/** When a hook or the client's own transcript last told of it: an agent may think or run commands for long. */
export function heardAt({ seen_at, transcript }: ClientSession): number {
  const written = transcript === undefined ? undefined : statSync(transcript, { throwIfNoEntry: false })?.mtimeMs;
  return Math.max(Date.parse(seen_at) || 0, written ?? 0);
}

/** A client that is killed says no goodbye, and its session stays open here. */
export const isAtWork = (session: ClientSession, now: number): boolean =>
  session.ended_at === undefined && now - heardAt(session) < liveMs;

export function listSessions({ sessionsDir }: Companion): ClientSession[] {
  let names: string[] = [];
  try {
    names = readdirSync(sessionsDir).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
  return names.flatMap((name): ClientSession[] => {
    const found = readJsonFile(join(sessionsDir, name)) as ClientSession | null;
    return typeof found?.session_id === "string" ? [found] : [];
  });
}
