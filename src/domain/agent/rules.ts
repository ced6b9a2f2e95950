import type { Caller } from "../../contract/caller.ts";
import { checkFits } from "../../contract/free-form.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Agent, AgentStatus } from "./model.ts";

export const isLive = (agent: Agent): boolean => agent.status !== "offline";

/** Metadata describes an agent; what it works on belongs elsewhere. */
export const largestMetadata = 64 * 1024;

export const checkMetadata = (metadata: Agent["metadata"]): void => checkFits("metadata", metadata, largestMetadata);

/** An agent acts only for the developer who registered it (AG17). */
export function checkOwner(agent: Agent, caller: Caller): void {
  if (agent.developerId === caller.developerId) return;
  throw new Refusal("FORBIDDEN", `Agent ${agent.id} belongs to another developer.`, nextStep("ownAgent"));
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
      nextStep("registerAgain"),
    );
  }
  return {
    lastHeartbeatAt: now,
    updatedAt: now,
    ...(beat.status === undefined ? {} : { status: beat.status }),
    ...(beat.currentTaskId === undefined ? {} : { currentTaskId: beat.currentTaskId }),
  };
}

/**
 * What changes when an agent registers again: what it says of itself now, and that it is back. What it holds it keeps;
 * what was taken from it while it was away is no longer its own.
 */
export function decideResume(
  former: Agent,
  ask: Pick<Agent, "role" | "capabilities" | "workspacePath" | "metadata">,
  now: number,
): Partial<Agent> {
  const { role, capabilities, workspacePath, metadata } = ask;
  const status = former.currentTaskId === null ? "online" : "busy";
  return { role, capabilities, workspacePath, metadata, status, lastHeartbeatAt: now, updatedAt: now };
}

export interface AgentChanges {
  readonly status?: AgentStatus | undefined;
  readonly currentTaskId?: Agent["currentTaskId"] | undefined;
  readonly workspacePath?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
}

/**
 * What an update changes. Metadata is merged one level deep, coming back counts as a sign of life, and whoever is
 * offline has no task in hand.
 */
export function decideUpdate(agent: Agent, ask: AgentChanges, now: number): Partial<Agent> {
  const isOffline = (ask.status ?? agent.status) === "offline";
  const metadata = ask.metadata && { ...agent.metadata, ...ask.metadata };
  if (metadata) checkMetadata(metadata);
  return {
    updatedAt: now,
    ...(ask.status === undefined ? {} : { status: ask.status }),
    ...(!isOffline && !isLive(agent) ? { lastHeartbeatAt: now } : {}),
    ...(ask.currentTaskId === undefined ? {} : { currentTaskId: ask.currentTaskId }),
    ...(isOffline ? { currentTaskId: null } : {}),
    ...(ask.workspacePath === undefined ? {} : { workspacePath: ask.workspacePath }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

const publicNames = {
  status: "status",
  currentTaskId: "current_task_id",
  workspacePath: "workspace_path",
  metadata: "metadata",
} as const satisfies Record<keyof AgentChanges, string>;

/** What an update asks to change, in the words of the wire. */
export const namesOfChanges = (ask: AgentChanges): string[] =>
  Object.entries(publicNames).flatMap(([key, name]) => (ask[key as keyof AgentChanges] === undefined ? [] : [name]));
