import type { AgentId, DeveloperId, TaskId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import type { SessionRow } from "../../storage/schema-team.ts";
import type { Session, WorkingCopy } from "./session-model.ts";

export async function findSession(db: Db, id: AgentId): Promise<Session | undefined> {
  const row = await db.first(byId(db.q, id));
  return row && sessionOf(row);
}

const byId = prepare((q, id: AgentId) => q.selectFrom("session").selectAll().where("agentId", "=", id));

/** Those among these ids; at most as many as one statement takes. */
export async function listSessionsById(db: Db, ids: readonly AgentId[]): Promise<ReadonlyMap<string, Session>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(
    db.q
      .selectFrom("session")
      .selectAll()
      .where("agentId", "in", [...new Set(ids)]),
  );
  return new Map(rows.map(sessionOf).map((session) => [session.id, session]));
}

export async function getSession(db: Db, id: AgentId): Promise<Session> {
  const session = await findSession(db, id);
  if (!session) {
    throw new Refusal("SESSION_NOT_FOUND", "No session has that id.", nextStep("startSession"));
  }
  return session;
}

export interface SessionPage {
  /** One session alone. */
  readonly id?: AgentId | undefined;
  /** Those that go on, last seen first, or those that have ended, last ended first. */
  readonly hasEnded: boolean;
  readonly developerId?: DeveloperId | undefined;
  readonly repo?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface NamedSession extends Session {
  readonly name: string;
  readonly currentTaskId: TaskId | null;
}

/** A page of sessions with the names of their agents. */
export async function listSessionPage(db: Db, page: SessionPage): Promise<NamedSession[]> {
  const { id, hasEnded, developerId, repo } = page;
  let query = db.q
    .selectFrom("session")
    .innerJoin("agent", "agent.id", "session.agentId")
    .selectAll("session")
    .select(["agent.name", "agent.currentTaskId"])
    .orderBy(hasEnded ? "session.endedAt" : "session.lastSeenAt", "desc")
    .orderBy("session.agentId")
    .limit(page.limit)
    .offset(page.offset);
  if (id !== undefined) query = query.where("session.agentId", "=", id);
  else query = query.where("session.endedAt", hasEnded ? "is not" : "is", null);
  if (developerId !== undefined) query = query.where("session.developerId", "=", developerId);
  if (repo !== undefined) query = query.where("session.repo", "=", repo);
  const rows = await db.all(query);
  return rows.map(({ name, currentTaskId, ...row }) => ({
    ...sessionOf(row),
    name,
    currentTaskId,
  }));
}

const sessionOf = ({ agentId, ...row }: SessionRow): Session => ({
  ...row,
  id: agentId,
  workingCopy: row.workingCopy === null ? null : (JSON.parse(row.workingCopy) as WorkingCopy),
});
