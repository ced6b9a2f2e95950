import type { AgentId, DeveloperId, TaskId } from "../../contract/ids.ts";
import type { SystemWork, Work } from "../work.ts";
import { agentEvent } from "./events.ts";
import { type Agent, staleAfterMs } from "./model.ts";
import { getAgent, listFormerSelves, listSilentAgents } from "./queries.ts";
import {
  type AgentChanges,
  type Beat,
  checkMetadata,
  checkOwner,
  decideHeartbeat,
  decideResume,
  decideUpdate,
  isLive,
  namesOfChanges,
} from "./rules.ts";
import { sessionStaleAfterMs } from "./session-model.ts";
import { closeSession } from "./session-operations.ts";
import { pullBackSessions, touchSession } from "./session-store.ts";
import { insertAgent, keepAgentsAlive, keepConnection, pullBackSigns, saveAgent } from "./store.ts";

export type { AgentChanges } from "./rules.ts";
export { checkOwner };

export type Registration = Pick<Agent, "name" | "runtime" | "role" | "capabilities" | "workspacePath" | "metadata"> &
  Partial<Pick<Agent, "staleAfterMs">>;

/**
 * Registers an agent. One that was here before under the same name, kind and token is the same again, with its mailbox
 * and whatever it still holds (AG20); only if it is at work on another open connection is this somebody else (AG21).
 */
export async function registerAgent(
  work: Work,
  ask: Registration,
): Promise<{ readonly agent: Agent; readonly isResumed: boolean }> {
  checkMetadata(ask.metadata);
  const { developerId, tokenId } = work.caller;
  const { name, runtime } = ask;
  const known = await listFormerSelves(work.db, { developerId, tokenId, name, runtime, staleAfterMs });
  const former = known.find((agent) => !isLive(agent) || !work.connection.isElsewhere(agent.id));
  if (former) return { agent: await resumeAgent(work, former, ask), isResumed: true };
  return { agent: await createAgent(work, ask), isResumed: false };
}

async function resumeAgent(work: Work, former: Agent, ask: Registration): Promise<Agent> {
  const changes = decideResume(former, ask, work.now);
  const { key } = work.connection;
  const agent: Agent = { ...former, ...changes, connectionKey: key, version: former.version + 1 };
  await saveAgent(work.db, former, { ...changes, connectionKey: key });
  announce(work, agent, { resumed: true });
  return agent;
}

/** An agent that was never here before. */
export async function createAgent(work: Work, ask: Registration): Promise<Agent> {
  checkMetadata(ask.metadata);
  const agent: Agent = {
    staleAfterMs,
    ...ask,
    id: work.newId("agent"),
    developerId: work.caller.developerId,
    status: "online",
    currentTaskId: null,
    lastHeartbeatAt: work.now,
    tokenId: work.caller.tokenId,
    connectionKey: work.connection.key,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertAgent(work.db, agent);
  announce(work, agent);
  return agent;
}

/**
 * The agent behind an instance, under the instance's own id: others reach it by that (IN2). How long it may be silent is
 * its maker's to say, because whether a program that we started lives is not known from its calls.
 */
export async function enrolAgent(
  work: SystemWork,
  {
    staleAfterMs: silence = staleAfterMs,
    ...ask
  }: Pick<Agent, "id" | "developerId" | "tokenId" | "workspacePath"> & {
    staleAfterMs?: number | undefined;
  },
): Promise<void> {
  const agent: Agent = {
    ...ask,
    name: ask.id,
    runtime: "custom",
    role: "worker",
    capabilities: [],
    metadata: {},
    status: "online",
    currentTaskId: null,
    lastHeartbeatAt: work.now,
    staleAfterMs: silence,
    connectionKey: null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertAgent(work.db, agent);
  const { name, runtime, role, status } = agent;
  work.record(agentEvent.registered(agent.id, { name, runtime, role, status }));
}

/** An instance that calls again is there again, whatever was thought of it. */
export async function reviveAgent(work: Work, id: AgentId): Promise<void> {
  const agent = await getAgent(work.db, id);
  work.connection.appears(id);
  if (isLive(agent)) return;
  await saveAgent(work.db, agent, { status: "online", lastHeartbeatAt: work.now, updatedAt: work.now });
  work.record(agentEvent.updated(id, { fields: ["status"], status: "online" }));
}

function announce(work: Work, agent: Agent, more: { readonly resumed?: true } = {}): void {
  const { name, runtime, role, status } = agent;
  work.record(agentEvent.registered(agent.id, { name, runtime, role, status, ...more }));
  work.connection.appears(agent.id);
}

/** An agent of the caller's own, or a refusal (ID17). */
export async function getOwnAgent(work: Work, id: AgentId): Promise<Agent> {
  const agent = await getAgent(work.db, id);
  checkOwner(agent, work.caller);
  return agent;
}

export async function recordHeartbeat(work: Work, id: AgentId, beat: Beat): Promise<void> {
  const agent = await getOwnAgent(work, id);
  const changes = decideHeartbeat(agent, beat, work.now);
  await saveAgent(work.db, agent, changes);
  if (agent.staleAfterMs === sessionStaleAfterMs) await touchSession(work.db, id, work.now);
  const { status, currentTaskId } = { ...agent, ...changes };
  work.record(agentEvent.heartbeat(id, { status, current_task_id: currentTaskId }));
}

/** Asking for nothing changes nothing. */
export async function updateAgent(work: Work, id: AgentId, ask: AgentChanges): Promise<void> {
  const agent = await getOwnAgent(work, id);
  const fields = namesOfChanges(ask);
  if (fields.length === 0) return;
  const changes = decideUpdate(agent, ask, work.now);
  await saveAgent(work.db, agent, changes);
  work.record(agentEvent.updated(id, { fields, status: changes.status ?? agent.status }));
}

/** Takes an agent offline at its own wish, and with it its session. Doing it twice changes nothing. */
export async function unregisterAgent(work: Work, id: AgentId, summary: string | null): Promise<void> {
  const agent = await getOwnAgent(work, id);
  await closeSession(work, id, summary);
  if (!isLive(agent)) return;
  await saveAgent(work.db, agent, { status: "offline", currentTaskId: null, updatedAt: work.now });
  work.record(agentEvent.unregistered(id, { status: "offline" }));
}

/** The same at ours, for what we started. */
export async function takeOffline(work: SystemWork, id: AgentId): Promise<void> {
  const agent = await getAgent(work.db, id);
  if (!isLive(agent)) return;
  await saveAgent(work.db, agent, { status: "offline", currentTaskId: null, updatedAt: work.now });
  work.record(agentEvent.unregistered(id, { status: "offline" }));
}

/** Notes what an agent has in hand, or that it is free again. */
export async function occupyAgent(work: SystemWork, agent: Agent, taskId: TaskId | null): Promise<void> {
  if (!isLive(agent)) return;
  const status = taskId === null ? "online" : "busy";
  await saveAgent(work.db, agent, { status, currentTaskId: taskId, updatedAt: work.now });
  work.record(agentEvent.updated(agent.id, { fields: ["status", "current_task_id"], status }));
}

/** Gives up agents that have been silent for too long (AG8). Answers who they were. */
export async function sweepSilentAgents(work: SystemWork, limit: number): Promise<Agent[]> {
  const silent = await listSilentAgents(work.db, { now: work.now, shortestMs: staleAfterMs, limit });
  for (const agent of silent) {
    await saveAgent(work.db, agent, { status: "offline", currentTaskId: null, updatedAt: work.now });
    work.record(agentEvent.wentStale(agent.id, { status: "offline", silent_ms: work.now - agent.lastHeartbeatAt }));
  }
  return silent;
}

/** That an agent is alive, as the house knows without asking the store. */
export interface LifeSign {
  readonly id: AgentId;
  readonly developerId: DeveloperId;
  /** When it was last there: at its latest call, or while a connection of its was open. */
  readonly at: number;
  /** When it last called, if that is not written yet. */
  readonly calledAt: number | null;
  /** The connection it works on, if that is not written yet. */
  readonly connectionKey: string | null;
}

/** Writes down who is alive (AG22). It changes nobody's version: a sign of life is in nobody's way. */
export async function noteLifeSigns(work: SystemWork, signs: readonly LifeSign[]): Promise<void> {
  const together = new Map<string, LifeSign[]>();
  for (const sign of signs) {
    const moment = `${sign.at} ${sign.developerId}`;
    together.set(moment, [...(together.get(moment) ?? []), sign]);
  }
  for (const [first, ...others] of together.values()) {
    if (first) await keepAgentsAlive(work.db, { ...first, ids: [first, ...others].map(({ id }) => id) });
  }
  for (const { id, developerId, calledAt, connectionKey } of signs) {
    if (calledAt !== null) await touchSession(work.db, id, calledAt);
    if (connectionKey !== null) await keepConnection(work.db, { id, developerId, connectionKey });
  }
}

/** Nobody was seen in the future, whatever the clock said. */
export async function settleSigns(work: SystemWork): Promise<void> {
  await pullBackSigns(work.db, work.now);
  await pullBackSessions(work.db, work.now);
}
