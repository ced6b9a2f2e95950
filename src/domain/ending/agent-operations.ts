import type { AgentId, TaskId } from "../../contract/ids.ts";
import type { Agent } from "../agent/model.ts";
import {
  type AgentChanges,
  sweepSilentAgents,
  takeOffline,
  unregisterAgent,
  updateAgent,
} from "../agent/operations.ts";
import type { Session } from "../agent/session-model.ts";
import { getOwnSession } from "../agent/session-operations.ts";
import type { EndReason } from "../claim/model.ts";
import { releaseClaimsOfSession } from "../claim/operations.ts";
import { returnTasksOf } from "../task/operations.ts";
import { getTask } from "../task/queries.ts";
import type { SystemWork, Work } from "../work.ts";

/** Takes an agent offline for good, at its own wish, and with it its session. Answers how many tasks it gave back. */
export async function retireAgent(work: Work, id: AgentId, summary: string | null = null): Promise<number> {
  await unregisterAgent(work, id, summary);
  return giveBack(work, id, { reason: "the agent went offline", claimsEnd: "session_over" });
}

/** Takes the agent of an instance offline whose program we have ended or given up. */
export async function retireLaunched(work: SystemWork, id: AgentId): Promise<void> {
  await takeOffline(work, id);
  await giveBack(work, id, { reason: "the agent went offline", claimsEnd: "session_over" });
}

type SessionEnd =
  | { readonly kind: "ended"; readonly tasksReleased: number }
  | { readonly kind: "ended-before"; readonly endedAt: number };

/** Ends a session of the caller's, which is its agent's end too. */
export async function endSession(work: Work, id: AgentId, summary: string | null): Promise<SessionEnd> {
  const { endedAt }: Session = await getOwnSession(work, id);
  if (endedAt !== null) return { kind: "ended-before", endedAt };
  return { kind: "ended", tasksReleased: await retireAgent(work, id, summary) };
}

/** Changes what is known of an agent. One that goes offline may come back, but not to what it held. */
export async function changeAgent(
  work: Work,
  id: AgentId,
  ask: AgentChanges & { readonly currentTaskId?: TaskId | null | undefined },
): Promise<void> {
  if (ask.currentTaskId != null) await getTask(work.db, ask.currentTaskId);
  await updateAgent(work, id, ask);
  if (ask.status === "offline") await giveBack(work, id, { reason: "the agent went offline", claimsEnd: "released" });
}

/** Gives up silent agents (TK23); their sessions have not ended. Answers whether more may be waiting. */
export async function giveUpSilentAgents(work: SystemWork, limit: number): Promise<boolean> {
  const silent: Agent[] = await sweepSilentAgents(work, limit);
  for (const { id } of silent)
    await giveBack(work, id, { reason: "the agent went offline", claimsEnd: "session_over" });
  return silent.length === limit;
}

/** Whoever is gone holds nothing: no tasks, and no code. */
async function giveBack(work: SystemWork, id: AgentId, ask: { reason: string; claimsEnd: EndReason }): Promise<number> {
  const tasks = await returnTasksOf(work, id, ask.reason);
  await releaseClaimsOfSession(work, id, ask.claimsEnd);
  return tasks;
}
