import type { AgentId, TaskId } from "../../contract/ids.ts";
import type { Work } from "../work.ts";
import { agentEvent } from "./events.ts";
import type { Agent } from "./model.ts";
import { getAgent, listSilentAgents } from "./queries.ts";
import {
  type AgentChanges,
  type Beat,
  checkMetadata,
  checkOwner,
  decideHeartbeat,
  decideUpdate,
  isLive,
  namesOfChanges,
  staleAfterMs,
} from "./rules.ts";
import { sessionStaleAfterMs } from "./session-model.ts";
import { closeSession } from "./session-operations.ts";
import { touchSession } from "./session-store.ts";
import { insertAgent, saveAgent } from "./store.ts";

export type { AgentChanges } from "./rules.ts";
export { checkOwner };

export type Registration = Pick<Agent, "name" | "runtime" | "role" | "capabilities" | "workspacePath" | "metadata"> &
  Partial<Pick<Agent, "staleAfterMs">>;

export async function registerAgent(work: Work, ask: Registration): Promise<Agent> {
  checkMetadata(ask.metadata);
  const agent: Agent = {
    staleAfterMs,
    ...ask,
    id: work.newId("agent"),
    developerId: work.caller.developerId,
    status: "online",
    currentTaskId: null,
    lastHeartbeatAt: work.now,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertAgent(work.db, agent);
  const { name, runtime, role, status } = agent;
  work.record(agentEvent.registered(agent.id, { name, runtime, role, status }));
  return agent;
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

/** Notes what an agent has in hand, or that it is free again. */
export async function occupyAgent(work: Omit<Work, "caller">, agent: Agent, taskId: TaskId | null): Promise<void> {
  if (!isLive(agent)) return;
  const status = taskId === null ? "online" : "busy";
  await saveAgent(work.db, agent, { status, currentTaskId: taskId, updatedAt: work.now });
  work.record(agentEvent.updated(agent.id, { fields: ["status", "current_task_id"], status }));
}

/** Gives up agents that have been silent for too long (AG8). Answers who they were. */
export async function sweepSilentAgents(work: Omit<Work, "caller">, limit: number): Promise<Agent[]> {
  const silent = await listSilentAgents(work.db, { now: work.now, shortestMs: staleAfterMs, limit });
  for (const agent of silent) {
    await saveAgent(work.db, agent, { status: "offline", currentTaskId: null, updatedAt: work.now });
    work.record(agentEvent.wentStale(agent.id, { status: "offline", silent_ms: work.now - agent.lastHeartbeatAt }));
  }
  return silent;
}
