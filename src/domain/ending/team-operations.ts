import type { AgentId, TaskId } from "../../contract/ids.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import { getOwnTask, type TeamTask } from "../intent/operations.ts";
import { channelsOf, decideTeamEnd, stepEvent } from "../task/step-operations.ts";
import type { Work } from "../work.ts";
import { endUnproven } from "./operations.ts";

interface TeamEnd extends TeamTask {
  /** It had ended so before; nothing was changed. */
  readonly isRepeated: boolean;
}

interface Ask {
  readonly taskId: TaskId;
  readonly sessionId: AgentId | undefined;
}

/** Ends a task of the caller's with what came of it. */
export async function completeTask(work: Work, ask: Ask & { resultSummary: string }): Promise<TeamEnd> {
  await useNamedSession(work, ask.sessionId);
  const { task, intent } = await getOwnTask(work, ask.taskId);
  if (task.status === "done") return { task, intent, isRepeated: true };
  const step = decideTeamEnd(work, task, { to: "done", outcome: ask.resultSummary });
  const ended = await endUnproven(work, task, step);
  work.record(stepEvent.completed(task.id, { workflow_id: task.workflowId, from: task.status }, channelsOf(task)));
  return { task: ended.task, intent, isRepeated: false };
}

/** Gives a task of the caller's up. */
export async function cancelTask(work: Work, ask: Ask & { reason: string }): Promise<TeamEnd> {
  await useNamedSession(work, ask.sessionId);
  const { task, intent } = await getOwnTask(work, ask.taskId);
  if (task.status === "cancelled") return { task, intent, isRepeated: true };
  const { reason } = ask;
  const ended = await endUnproven(work, task, decideTeamEnd(work, task, { to: "cancelled", error: reason }));
  const data = { workflow_id: task.workflowId, from: task.status, reason };
  work.record(stepEvent.cancelled(task.id, data, channelsOf(task)));
  return { task: ended.task, intent: intent && { ...intent, reason }, isRepeated: false };
}
