import { isStale } from "../agent/session-model.ts";
import { findSession } from "../agent/session-queries.ts";
import { findTask } from "../task/queries.ts";
import type { SystemWork } from "../work.ts";
import type { CodeClaim, EndReason } from "./model.ts";

/** Claims whose holder is gone: the session has ended or has long been silent, or the task has ended (CC17). */
export async function findLost(
  work: Pick<SystemWork, "db" | "now">,
  claims: readonly CodeClaim[],
): Promise<Map<CodeClaim, EndReason>> {
  const isSessionOver = once(claims, "sessionId", async (id) => {
    const session = await findSession(work.db, id);
    return session === undefined || session.endedAt !== null || isStale(session, work.now);
  });
  const isTaskOver = once(claims, "taskId", async (id) => {
    const task = await findTask(work.db, id);
    return task === undefined || task.endedAt !== null;
  });
  const [sessions, tasks] = [await isSessionOver, await isTaskOver];
  const lost = new Map<CodeClaim, EndReason>();
  for (const claim of claims) {
    if (claim.sessionId !== null && sessions.has(claim.sessionId)) lost.set(claim, "session_over");
    else if (claim.taskId !== null && tasks.has(claim.taskId)) lost.set(claim, "task_over");
  }
  return lost;
}

/** Asks once about everything that several claims name, and answers what is over. */
async function once<Key extends "sessionId" | "taskId">(
  claims: readonly CodeClaim[],
  key: Key,
  isOver: (id: NonNullable<CodeClaim[Key]>) => Promise<boolean>,
): Promise<ReadonlySet<string>> {
  const over = new Set<string>();
  for (const id of new Set(claims.map((claim) => claim[key]))) {
    if (id !== null && (await isOver(id))) over.add(id);
  }
  return over;
}
