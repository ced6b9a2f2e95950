import type { AgentId, WorkflowId } from "../../contract/ids.ts";
import { getOwnAgent, occupyAgent } from "../agent/operations.ts";
import type { Work } from "../work.ts";
import { settleContainer } from "./container-operations.ts";
import { giveEvent } from "./give-events.ts";
import type { Task } from "./model.ts";
import { freeHolder } from "./operations.ts";
import { saveTask } from "./store.ts";

/**
 * Makes a task the caller's, with everything it has become; whoever hands it over has agreed. What an agent of theirs
 * had in hand goes to the caller's, if one is named; the fence grows, so that their late writes are refused.
 */
export async function takeOverTask(
  work: Work,
  task: Task,
  ask: { workflowId: WorkflowId | null; agentId: AgentId | null },
): Promise<Task> {
  const takenBy = task.takenBy === null ? null : ask.agentId;
  const changes = {
    developerId: work.caller.developerId,
    workflowId: ask.workflowId,
    takenBy,
    fence: task.fence + 1,
    updatedAt: work.now,
  };
  await freeHolder(work, task);
  await saveTask(work.db, task, changes);
  if (takenBy !== null) await occupyAgent(work, await getOwnAgent(work, takenBy), task.id);
  const { workflowId: workflow_id, developerId: developer_id, fence } = changes;
  const channels = workflow_id === null ? [] : [`workflow:${workflow_id}`];
  work.record(giveEvent.handedOver(task.id, { workflow_id, developer_id, fence }, channels));
  if (task.workflowId !== ask.workflowId) await settleContainer(work, task.workflowId);
  return { ...task, ...changes, version: task.version + 1 };
}
