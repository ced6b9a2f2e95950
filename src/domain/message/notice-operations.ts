import type { AgentId, DeveloperId } from "../../contract/ids.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { SystemWork, Work } from "../work.ts";
import { type Notice, noticeLivesMs } from "./notice-model.ts";
import { listWaitingNotices } from "./notice-queries.ts";
import {
  deleteNotices,
  deleteUndelivered,
  deleteWaiting,
  insertNotice,
  markDelivered,
  markHeard,
} from "./notice-store.ts";
import { excerptOf } from "./peer-rules.ts";

interface NewNotice {
  readonly developerId: DeveloperId;
  readonly agentId: AgentId | null;
  readonly about: string;
  /** What happened, after the name of who did it: `answered your question`. */
  readonly did: string;
  /** Their own words, if there are any; the first of them are passed on. */
  readonly words?: string | null;
}

/** Leaves word for an agent of what the caller did. Its next answer carries it. */
export async function leaveNotice(work: Work, { developerId, agentId, about, did, words }: NewNotice): Promise<void> {
  const reader = await readViewer({ db: work.db, caller: { ...work.caller, developerId } });
  const who = reader.nameOf(work.caller.developerId);
  const text = `${who} ${did}${words ? `: ${excerptOf(words)}` : "."}`;
  await insertNotice(work.db, { id: work.newId("notice"), developerId, agentId, about, text, createdAt: work.now });
}

/** Leaves word for an agent of what the server has found out by itself. */
export async function leaveFinding(work: SystemWork, finding: Omit<Notice, "id" | "createdAt">): Promise<void> {
  await insertNotice(work.db, { ...finding, id: work.newId("notice"), createdAt: work.now });
}

/** Takes back word that nobody has come for and that is no longer true. */
export async function withdrawNotices(work: SystemWork, about: readonly string[]): Promise<void> {
  if (about.length > 0) await deleteUndelivered(work.db, about);
}

/** The same for single notes. */
export async function takeBackNotices(work: SystemWork, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await deleteWaiting(work.db, ids);
}

/** Takes what waits for these agents, once. `isAll` says that nothing waits for others of the developer's. */
export async function takeNotices(
  work: SystemWork,
  ask: { readonly developerId: DeveloperId; readonly agentIds: readonly AgentId[] },
): Promise<{ readonly notices: readonly Notice[]; readonly isAll: boolean }> {
  const waiting = await listWaitingNotices(work.db, { ...ask, since: work.now - noticeLivesMs });
  const ids = waiting.notices.map(({ id }) => id);
  if (ids.length > 0) await markDelivered(work.db, ids, work.now);
  return waiting;
}

/** Notes which notices an agent has heard of while it waited, so that no answer carries them again. */
export async function hearNotices(work: SystemWork, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await markHeard(work.db, ids, work.now);
}

/** Forgets what nobody came for, and what was delivered long ago. */
export const forgetOldNotices = (work: SystemWork): Promise<void> =>
  deleteNotices(work.db, work.now - 7 * noticeLivesMs);
