import type { AgentId, DeveloperId, TokenId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { IdSet } from "../../storage/id-set.ts";
import { prepare } from "../../storage/prepared.ts";
import type { AgentRow } from "../../storage/schema.ts";
import type { Agent, AgentStatus } from "./model.ts";

export async function findAgent(db: Db, id: AgentId): Promise<Agent | undefined> {
  const row = await db.first(byId(db.q, id));
  return row && agentOf(row);
}

const byId = prepare((q, id: AgentId) => q.selectFrom("agent").selectAll().where("id", "=", id));

const byIds = prepare((q, ids: readonly AgentId[]) => q.selectFrom("agent").selectAll().where("id", "in", ids));

/** Those among these ids; at most as many as one statement takes. */
export async function listAgentsById(db: Db, ids: readonly AgentId[]): Promise<ReadonlyMap<AgentId, Agent>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(byIds(db.q, [...new Set(ids)]));
  return new Map(rows.map(agentOf).map((agent) => [agent.id, agent]));
}

export async function getAgent(db: Db, id: AgentId): Promise<Agent> {
  const agent = await findAgent(db, id);
  if (!agent) throw new Refusal("AGENT_NOT_FOUND", "No agent has that id.");
  return agent;
}

interface AgentFilter {
  readonly status?: readonly AgentStatus[] | undefined;
  readonly role?: Agent["role"] | undefined;
  /** Any word: one that no agent has fits none. */
  readonly runtime?: string | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

/** Newest first. */
export async function listAgents(db: Db, filter: AgentFilter): Promise<Agent[]> {
  const { runtime } = filter;
  let query = db.q
    .selectFrom("agent")
    .selectAll()
    .orderBy("createdAt", "desc")
    .orderBy("id")
    .limit(filter.limit)
    .offset(filter.offset ?? 0);
  if (filter.status !== undefined) query = query.where("status", "in", filter.status);
  if (filter.role !== undefined) query = query.where("role", "=", filter.role);
  if (runtime !== undefined) query = query.where((of) => of(of.ref("runtime").$castTo<string>(), "=", runtime));
  return (await db.all(query)).map(agentOf);
}

/** A developer's agents, as a part of other queries. */
export const agentIdsOf = (db: Db, developerId: DeveloperId): IdSet<AgentId> =>
  db.q.selectFrom("agent").select("id").where("developerId", "=", developerId);

/** Whether any agent of a developer's is there. */
export async function hasLiveAgent(db: Db, developerId: DeveloperId): Promise<boolean> {
  const query = db.q.selectFrom("agent").select("id").where("developerId", "=", developerId);
  return (await db.first(query.where("status", "in", ["online", "busy"]).limit(1))) !== undefined;
}

/** How many agents there are in each status. */
export async function countAgents(db: Db): Promise<Record<AgentStatus, number>> {
  const rows = await db.all(
    db.q
      .selectFrom("agent")
      .select((of) => ["status", of.fn.countAll<number>().as("count")])
      .groupBy("status"),
  );
  const counts = Object.fromEntries(rows.map((row) => [row.status, Number(row.count)]));
  return { online: 0, busy: 0, offline: 0, ...counts };
}

/** So many of one name are looked at; whoever registers more at once has none to be taken for. */
const mostFormerSelves = 50;

/** Agents that registered under this name, kind and token, heard last first. A session is a run of its own (SN1). */
export async function listFormerSelves(
  db: Db,
  ask: Pick<Agent, "developerId" | "name" | "runtime" | "staleAfterMs"> & { readonly tokenId: TokenId },
): Promise<Agent[]> {
  const rows = await db.all(
    db.q
      .selectFrom("agent")
      .selectAll()
      .where("tokenId", "=", ask.tokenId)
      .where("name", "=", ask.name)
      .where("runtime", "=", ask.runtime)
      .where("developerId", "=", ask.developerId)
      .where("staleAfterMs", "=", ask.staleAfterMs)
      .orderBy("lastHeartbeatAt", "desc")
      .orderBy("createdAt", "desc")
      .limit(mostFormerSelves),
  );
  return rows.map(agentOf);
}

/** Who worked on a connection before it was lost. */
export async function listAgentsOfConnection(
  db: Db,
  ask: { readonly connectionKey: string; readonly developerId: DeveloperId },
): Promise<AgentId[]> {
  const rows = await db.all(
    db.q
      .selectFrom("agent")
      .select("id")
      .where("connectionKey", "=", ask.connectionKey)
      .where("developerId", "=", ask.developerId)
      .where("status", "in", ["online", "busy"])
      .limit(mostFormerSelves),
  );
  return rows.map(({ id }) => id);
}

/** Live agents that have been silent for longer than each of them may be, a bounded number at a time. */
export async function listSilentAgents(
  db: Db,
  ask: { now: number; shortestMs: number; limit: number },
): Promise<Agent[]> {
  const rows = await db.all(
    db.q
      .selectFrom("agent")
      .selectAll()
      .where("status", "in", ["online", "busy"])
      .where("lastHeartbeatAt", "<", ask.now - ask.shortestMs)
      .where((row) => row(row("lastHeartbeatAt", "+", row.ref("staleAfterMs")), "<", ask.now))
      .limit(ask.limit),
  );
  return rows.map(agentOf);
}

const agentOf = (row: AgentRow): Agent => ({
  ...row,
  capabilities: JSON.parse(row.capabilities) as string[],
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
});
