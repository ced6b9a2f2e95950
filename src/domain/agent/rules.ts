import type { Caller } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Agent, AgentStatus } from "./model.ts";

/** How often an agent is asked to beat. */
export const heartbeatEveryMs = 30_000;

/** Without a heartbeat for longer than this an agent is stale (T6). */
export const staleAfterMs = 60_000;

export const isLive = (agent: Agent): boolean => agent.status !== "offline";

export const isStale = (agent: Agent, now: number): boolean =>
  isLive(agent) && now - agent.lastHeartbeatAt > staleAfterMs;

/** An agent acts only for the developer who registered it (I1). */
export function checkOwner(agent: Agent, caller: Caller): void {
  if (agent.developerId === caller.developerId) return;
  throw new Refusal(
    "FORBIDDEN",
    `Agent ${agent.id} belongs to another developer.`,
    "Use the id that agent_register gave you.",
  );
}

export interface Beat {
  readonly status?: "online" | "busy" | undefined;
  readonly currentTaskId?: Agent["currentTaskId"] | undefined;
}

/** What a heartbeat changes. An offline agent was given up: its work may be in other hands, so it must register anew. */
export function decideHeartbeat(agent: Agent, beat: Beat, now: number): Partial<Agent> {
  if (!isLive(agent)) {
    throw new Refusal(
      "INVALID_STATE",
      `Agent ${agent.id} is offline and its work may have been given to others.`,
      "Register again with agent_register and use the new id.",
    );
  }
  return {
    lastHeartbeatAt: now,
    updatedAt: now,
    ...(beat.status === undefined ? {} : { status: beat.status }),
    ...(beat.currentTaskId === undefined ? {} : { currentTaskId: beat.currentTaskId }),
  };
}

export interface AgentChanges {
  readonly status?: AgentStatus | undefined;
  readonly currentTaskId?: Agent["currentTaskId"] | undefined;
  readonly workspacePath?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** What an update changes. Metadata is merged one level deep; coming back online counts as a sign of life. */
export function decideUpdate(agent: Agent, ask: AgentChanges, now: number): Partial<Agent> {
  const comesBack = ask.status !== undefined && ask.status !== "offline" && !isLive(agent);
  return {
    updatedAt: now,
    ...(ask.status === undefined ? {} : { status: ask.status }),
    ...(comesBack ? { lastHeartbeatAt: now } : {}),
    ...(ask.status === "offline" ? { currentTaskId: null } : {}),
    ...(ask.currentTaskId === undefined ? {} : { currentTaskId: ask.currentTaskId }),
    ...(ask.workspacePath === undefined ? {} : { workspacePath: ask.workspacePath }),
    ...(ask.metadata === undefined ? {} : { metadata: { ...agent.metadata, ...ask.metadata } }),
  };
}
