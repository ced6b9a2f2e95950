import { statSync } from "node:fs";
import { join } from "node:path";
import { readJsonFile, writeJsonFile } from "../files.ts";
import type { Companion } from "../places.ts";
import type { Target } from "../server.ts";
import { type ClientSession, heardAt, listSessions, liveMs, removeSession } from "../sessions.ts";
import { endSessions } from "./end-sessions.ts";
import type { Context, UsageReport } from "./report.ts";
import { sendReport } from "./send.ts";
import { isReadable, readPiece } from "./transcript.ts";
import { listTranscripts, type Mark, readOn, type TranscriptFile } from "./transcript-files.ts";

/** What is known of the transcripts of this machine. */
interface State {
  readonly files: Readonly<Record<string, FileState>>;
  /** Requests that were counted, oldest first. */
  readonly seen: readonly string[];
}

interface FileState {
  readonly client: string;
  readonly mark: Mark;
  readonly context: Context;
  /** What the requests in this file used, wherever they were counted. */
  readonly counted: number;
}

export interface Synced {
  readonly client: string;
  readonly requests: number;
  readonly tokens: number;
  /** What the client's own sums say beyond what was counted; null where it writes none. */
  readonly unattributed: number | null;
  /** Lines that should tell usage, in a form that this version does not know, and by which version of the client. */
  readonly unknown: { readonly lines: number; readonly version: string | null } | null;
}

const mostSeen = 50_000;
const mostFiles = 2_000;

const stateFile = ({ telemetryDir }: Companion): string => join(telemetryDir, "state.json");

/**
 * Reads on in every transcript and reports each request once. The place is kept after the server has answered: after a
 * kill the same requests are sent again, and the server knows them by their content.
 */
export async function syncTranscripts(
  companion: Companion,
  targetFor: (whose: Pick<ClientSession, "client" | "base_url">) => Promise<Target>,
  now = Date.now(),
): Promise<Synced[]> {
  await endSessions(companion, targetFor, now);
  let state = readState(companion);
  const told = new Map<string, { requests: number; tokens: number }>();
  const take = (client: string, read: Read): void => {
    state = read.state;
    writeJsonFile(stateFile(companion), state);
    const sum = told.get(client) ?? { requests: 0, tokens: 0 };
    told.set(client, { requests: sum.requests + read.requests, tokens: sum.tokens + read.tokens });
  };
  const files = listTranscripts(listSessions(companion)).filter(({ client }) => isReadable(client));
  for (const file of files) {
    for (;;) {
      const read = await syncPiece(state, file, targetFor);
      if (read === undefined) break;
      take(file.client, read);
    }
    const last = await sendPending(state, file, targetFor, now);
    if (last !== undefined) take(file.client, last);
  }
  forgetEnded(companion, state, now);
  const clients = new Set([...told.keys(), ...Object.values(state.files).map(({ client }) => client)]);
  return [...clients].flatMap((client) => {
    const rest = { unattributed: unattributedOf(state, client), unknown: unknownOf(state, client) };
    const sum = told.get(client);
    // Nothing new, but something that a person should know all the same.
    if (sum === undefined && !rest.unattributed && rest.unknown === null) return [];
    return [{ client, ...(sum ?? { requests: 0, tokens: 0 }), ...rest }];
  });
}

interface Read {
  readonly state: State;
  readonly requests: number;
  readonly tokens: number;
}

/** Undefined where there is nothing new, or nobody to tell. */
async function syncPiece(
  state: State,
  file: TranscriptFile,
  targetFor: (file: TranscriptFile) => Promise<Target>,
): Promise<Read | undefined> {
  const known = state.files[file.path];
  const piece = readOn(file.path, known?.mark);
  if (piece === undefined) return undefined;
  const before = piece.isNew ? undefined : known;
  const { reports, context } = readPiece(file.client, piece.text, before?.context ?? {});
  const seen = new Set(state.seen);
  const fresh = largestOfEach(reports).filter(({ key }) => !seen.has(key));
  if (fresh.length > 0) {
    const target = await targetFor(file).catch(() => undefined);
    if (target === undefined) return undefined;
    for (const { source, payload } of fresh) {
      const link = file.session_id === undefined ? {} : { session_id: file.session_id };
      const { outcome } = await sendReport(target, { source, payload, ...link }, "transcript");
      if (outcome === "unsent") return undefined;
    }
  }
  const tokens = totalOf(fresh);
  // What was counted in another file that it was copied from is accounted for as well.
  const counted = (before?.counted ?? 0) + totalOf(largestOfEach(reports));
  const entry = { client: file.client, mark: piece.mark, context, counted };
  const { [file.path]: _, ...others } = state.files;
  return {
    state: {
      files: Object.fromEntries([...Object.entries(others), [file.path, entry] as const].slice(-mostFiles)),
      seen: [...state.seen, ...fresh.map(({ key }) => key)].slice(-mostSeen),
    },
    requests: fresh.length,
    tokens,
  };
}

/** The last message of a session that is over, or has long been silent, is replaced by no other. */
async function sendPending(
  state: State,
  file: TranscriptFile,
  targetFor: (file: TranscriptFile) => Promise<Target>,
  now: number,
): Promise<Read | undefined> {
  const known = state.files[file.path];
  const pending = known?.context.pending;
  const writtenAt = statSync(file.path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (known === undefined || pending === undefined || !(file.isEnded || now - writtenAt > liveMs)) return undefined;
  const isSeen = state.seen.includes(pending.key);
  if (!isSeen) {
    const target = await targetFor(file).catch(() => undefined);
    if (target === undefined) return undefined;
    const link = file.session_id === undefined ? {} : { session_id: file.session_id };
    const { source, payload } = pending;
    const { outcome } = await sendReport(target, { source, payload, ...link }, "transcript");
    if (outcome === "unsent") return undefined;
  }
  const { pending: _, ...context } = known.context;
  const tokens = isSeen ? 0 : pending.total;
  const entry = { ...known, context, counted: known.counted + tokens };
  return {
    state: {
      files: { ...state.files, [file.path]: entry },
      seen: isSeen ? state.seen : [...state.seen, pending.key].slice(-mostSeen),
    },
    requests: isSeen ? 0 : 1,
    tokens,
  };
}

/** Sessions that are over and read to their end; one whose transcript never came is given up after a week. */
function forgetEnded(companion: Companion, { files }: State, now: number): void {
  for (const session of listSessions(companion)) {
    const { client, transcript = "", ended_at, is_end_untold } = session;
    if (ended_at === undefined || is_end_untold) continue;
    const { mark, context } = files[transcript] ?? {};
    const size = statSync(transcript, { throwIfNoEntry: false })?.size;
    const isRead = size === undefined || (mark !== undefined && mark.offset >= size) || !isReadable(client);
    const isOld = now - Math.max(heardAt(session), Date.parse(ended_at)) > givenUpAfterMs;
    if ((isRead && context?.pending === undefined) || isOld) removeSession(companion, client, session.session);
  }
}

const givenUpAfterMs = 7 * 86_400_000;

/** Of the lines about one request the one that counts most. */
function largestOfEach(reports: readonly UsageReport[]): UsageReport[] {
  const largest = new Map<string, UsageReport>();
  for (const report of reports) {
    if (report.total > (largest.get(report.key)?.total ?? 0)) largest.set(report.key, report);
  }
  return [...largest.values()];
}

const totalOf = (reports: readonly UsageReport[]): number => reports.reduce((sum, { total }) => sum + total, 0);

function unknownOf({ files }: State, client: string): Synced["unknown"] {
  const own = Object.values(files).filter((file) => file.client === client && (file.context.unknown ?? 0) > 0);
  const lines = own.reduce((sum, { context }) => sum + (context.unknown ?? 0), 0);
  return lines === 0 ? null : { lines, version: own.at(-1)?.context.version || null };
}

function unattributedOf({ files }: State, client: string): number | null {
  const own = Object.values(files).filter((file) => file.client === client && file.context.ownTotal !== undefined);
  if (own.length === 0) return null;
  return own.reduce(
    (sum, { context, counted }) => sum + Math.max(0, (context.ownTotal ?? 0) - (context.parentTotal ?? 0) - counted),
    0,
  );
}

function readState(companion: Companion): State {
  const { files, seen } = (readJsonFile(stateFile(companion)) ?? {}) as Partial<State>;
  return { files: files ?? {}, seen: seen ?? [] };
}
