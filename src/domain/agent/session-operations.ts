import type { AgentId } from "../../contract/ids.ts";
import type { Work } from "../work.ts";
import { agentEvent } from "./events.ts";
import { freeFiles } from "./file-mark-operations.ts";
import { getAgent } from "./queries.ts";
import { sessionEvent } from "./session-events.ts";
import type { Session } from "./session-model.ts";
import { findSession, getSession } from "./session-queries.ts";
import { checkSessionOpen, checkSessionOwner, signalOf } from "./session-rules.ts";
import { saveSession } from "./session-store.ts";
import { saveAgent } from "./store.ts";

/**
 * The session a call is made from: the caller's own, not ended, or a refusal. Naming it is a sign of life, so a stale
 * one comes back.
 */
export async function useSession(work: Work, id: AgentId): Promise<Session> {
  return enter(work, id);
}

/** The same for calls that may name none. */
export async function useNamedSession(work: Work, id: AgentId | undefined): Promise<Session | undefined> {
  return id === undefined ? undefined : enter(work, id);
}

async function enter(work: Work, id: AgentId): Promise<Session> {
  const session = await getOwnSession(work, id);
  checkSessionOpen(session);
  return noteLife(work, session);
}

/** A session of the caller's own, ended or not, or a refusal (SN4). */
export async function getOwnSession(work: Pick<Work, "db" | "caller">, id: AgentId): Promise<Session> {
  const session = await getSession(work.db, id);
  checkSessionOwner(session, work.caller);
  return session;
}

/** What makes an agent a session ends with it; the files it had marked are free. Twice is as good as once. */
export async function closeSession(work: Work, id: AgentId, summary: string | null): Promise<void> {
  const session = await findSession(work.db, id);
  if (!session || session.endedAt !== null) return;
  await saveSession(work.db, session, { endedAt: work.now, lastSeenAt: work.now, summary });
  await freeFiles(work, id);
  work.record(sessionEvent.ended(id, { summary }));
}

async function noteLife(work: Work, session: Session): Promise<Session> {
  const agent = await getAgent(work.db, session.id);
  const isBack = agent.status === "offline";
  await saveAgent(work.db, agent, {
    lastHeartbeatAt: work.now,
    updatedAt: work.now,
    ...(isBack ? { status: "online" as const } : {}),
  });
  if (isBack) work.record(agentEvent.updated(agent.id, { fields: ["status"], status: "online" }));
  return saveSession(work.db, session, { lastSeenAt: work.now, ...signalOf(work) });
}
