import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
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
}

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
