import { checkFits } from "../../contract/free-form.ts";
import type { AgentId, TaskId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Agent } from "../agent/model.ts";
import { getOwnAgent, occupyAgent, sweepSilentAgents, unregisterAgent } from "../agent/operations.ts";
import { findAgent } from "../agent/queries.ts";
import { isFinished, type Lifecycle } from "../lifecycle.ts";
import type { Work } from "../work.ts";
import { announceProgress } from "../workflow/brief-operations.ts";
import type { Workflow } from "../workflow/model.ts";
import { taskEvent } from "./events.ts";
import { listOpenDependencies } from "./graph-queries.ts";
import { releaseDependents } from "./graph-store.ts";
import { settleContainer } from "./home-operations.ts";
import { isWaiting, type Task, type TaskPlan } from "./model.ts";
import { newTask } from "./new-task.ts";
import { getTask, listHeldTasks } from "./queries.ts";
import { listAvailableTasks, type Page } from "./queue-queries.ts";
import {
  type ClaimDecision,
  checkTaskRight,
  decideClaim,
  decideRelease,
  decideReplan,
  decideStatus,
  fits,
  largestContext,
  type StatusAsk,
} from "./rules.ts";
import { insertTasks, saveTask } from "./store.ts";

export { layOut } from "./graph.ts";

export { stepRefusal } from "./rules.ts";

type Say = (status: Lifecycle) => string;

/** A task the caller may write to, or a refusal. */
export async function getTaskToWrite(work: Work, id: TaskId, fence?: number): Promise<Task> {
  const task = await getTask(work.db, id);
  const holder = task.claimedBy === null ? undefined : await findAgent(work.db, task.claimedBy);
  checkTaskRight(task, { caller: work.caller, holder, fence });
  return task;
}

export async function changeTaskStatus(
  work: Work,
  id: TaskId,
  ask: StatusAsk & { fence?: number | undefined },
): Promise<void> {
  const task = await getTaskToWrite(work, id, ask.fence);
  const open = isWaiting(task) ? await listOpenDependencies(work.db, [id]) : undefined;
  const changes = decideStatus(task, ask, { now: work.now, blockedBy: open?.get(id) ?? [] });
  await saveTask(work.db, task, changes);
  work.record(
    taskEvent.statusChanged(id, { workflow_id: task.workflowId, from: task.status, to: ask.to }, channelsOf(task)),
  );
  await announceProgress(work, task.workflowId, { task_id: id, status: ask.to });
  if (isFinished(ask.to)) await releaseDependents(work.db, id);
  if (changes.endedAt != null) await freeHolder(work, task);
  if (isFinished(ask.to)) await settleContainer(work, task);
}

/** Makes a task that is under way at once. */
export async function beginTask(
  work: Work,
  ask: { workflow: Workflow; name: string; description: string; sequence: number },
): Promise<Task> {
  const task = newTask(
    {
      id: work.newId("task"),
      workflowId: ask.workflow.id,
      developerId: work.caller.developerId,
      name: ask.name,
      description: ask.description,
      sequence: ask.sequence,
      status: "active",
    },
    work.now,
  );
  await insertTasks(work.db, [task]);
  work.record(
    taskEvent.created(
      task.id,
      { workflow_id: task.workflowId, name: task.name, status: task.status },
      channelsOf(task),
    ),
  );
  await announceProgress(work, task.workflowId, { task_id: task.id, status: task.status });
  return task;
}

/** Ends a task that is under way; the caller has checked that it may. */
export async function endTask(
  work: Work,
  task: Task,
  ask: { isFailed: boolean; outcome: string; detail: Record<string, unknown> },
): Promise<Task> {
  const to = ask.isFailed ? "failed" : "done";
  const changes: Partial<Task> = {
    status: to,
    endedAt: work.now,
    updatedAt: work.now,
    outcome: ask.outcome,
    outcomeDetail: ask.detail,
    ...(ask.isFailed ? { error: ask.outcome, claimedBy: null } : {}),
  };
  await saveTask(work.db, task, changes);
  work.record(
    taskEvent.statusChanged(task.id, { workflow_id: task.workflowId, from: task.status, to }, channelsOf(task)),
  );
  await announceProgress(work, task.workflowId, { task_id: task.id, status: to });
  if (!ask.isFailed) await releaseDependents(work.db, task.id);
  await freeHolder(work, task);
  if (!ask.isFailed) await settleContainer(work, task);
  return { ...task, ...changes };
}

export async function setTaskPlan(
  work: Work,
  id: TaskId,
  ask: { plan: TaskPlan; context: Record<string, unknown> | undefined; fence?: number | undefined },
): Promise<Task> {
  const task = await getTaskToWrite(work, id, ask.fence);
  if (isFinished(task.status)) throw new Refusal("INVALID_STATE", `Task ${id} is finished; its plan stays as it is.`);
  const context = ask.context && { ...task.context, ...ask.context };
  if (context !== undefined) checkFits("context", context, largestContext);
  await saveTask(work.db, task, {
    plan: ask.plan,
    updatedAt: work.now,
    ...(context === undefined ? {} : { context }),
  });
  work.record(taskEvent.planSet(id, { workflow_id: task.workflowId, status: task.status }, channelsOf(task)));
  return task;
}

/** Starts a task over with another plan. The caller notes why, and marks what the old plan led to as void. */
export async function replanTask(
  work: Work,
  id: TaskId,
  ask: { plan: TaskPlan; say: Say; fence?: number | undefined },
): Promise<Task> {
  const task = await getTaskToWrite(work, id, ask.fence);
  const changes = decideReplan(task, work.now, ask.say);
  await saveTask(work.db, task, { ...changes, plan: ask.plan });
  work.record(
    taskEvent.replanned(id, { workflow_id: task.workflowId, from: task.status, to: "planned" }, channelsOf(task)),
  );
  await announceProgress(work, task.workflowId, { task_id: id, status: "planned" });
  return task;
}

export async function claimTask(
  work: Work,
  ask: { taskId: TaskId; agentId: AgentId; say: Say },
): Promise<ClaimDecision> {
  const agent = await getOwnAgent(work, ask.agentId);
  if (agent.status === "offline") {
    throw new Refusal("INVALID_STATE", `Agent ${agent.id} is offline.`, "Register again with agent_register.");
  }
  const task = await getTask(work.db, ask.taskId);
  const decision = decideClaim(task, agent.id, ask.say);
  if (decision.kind !== "granted") return decision;
  await saveTask(work.db, task, { claimedBy: agent.id, fence: decision.fence, updatedAt: work.now });
  work.record(
    taskEvent.claimed(task.id, { workflow_id: task.workflowId, agent_id: agent.id, fence: decision.fence }, [
      ...channelsOf(task),
      `agent:${agent.id}`,
    ]),
  );
  await occupyAgent(work, agent, task.id);
  return decision;
}

export async function releaseTask(
  work: Work,
  ask: { taskId: TaskId; agentId: AgentId; reason: string | null },
): Promise<void> {
  const agent = await getOwnAgent(work, ask.agentId);
  const task = await getTask(work.db, ask.taskId);
  if (task.claimedBy !== agent.id || isFinished(task.status)) {
    throw new Refusal(
      "NOT_CLAIMED",
      `Agent ${agent.id} does not hold task ${task.id}.`,
      "Only the holder gives a task back.",
    );
  }
  await returnToQueue(work, task, agent.id, ask.reason);
  await freeAgent(work, agent, task);
}

/** Free tasks that this agent can do. */
export async function listTasksFor(
  work: Work,
  ask: { agentId: AgentId; workflowId: WorkflowId | undefined; limit: number },
): Promise<Task[]> {
  const agent = await getOwnAgent(work, ask.agentId);
  const fitting: Task[] = [];
  // Capabilities are matched here, page after page, so that a queue of unfit work never hides the fit.
  let page: Page = { workflowId: ask.workflowId, limit: ask.limit, offset: 0 };
  for (;;) {
    const candidates = await listAvailableTasks(work.db, page);
    fitting.push(...candidates.filter((task) => fits(task, agent.capabilities)));
    if (fitting.length >= ask.limit || candidates.length < page.limit) return fitting.slice(0, ask.limit);
    page = { ...page, offset: page.offset + page.limit, limit: page.limit * 2 };
  }
}

export async function assignWorktree(work: Work, task: Task, worktreeId: WorktreeId): Promise<void> {
  await saveTask(work.db, task, { worktreeId, updatedAt: work.now });
  work.record(
    taskEvent.assigned(task.id, { workflow_id: task.workflowId, workspace_id: worktreeId }, channelsOf(task)),
  );
}

/** Takes an agent offline at its own wish and gives its work back. Answers how many tasks that were. */
export async function retireAgent(work: Work, id: AgentId, summary: string | null = null): Promise<number> {
  await unregisterAgent(work, id, summary);
  return returnTasksOf(work, id, "the agent went offline");
}

/** Gives up silent agents and returns their work to the queue (TK23). Answers whether more may be waiting. */
export async function giveUpSilentAgents(work: Omit<Work, "caller">, limit: number): Promise<boolean> {
  const silent: Agent[] = await sweepSilentAgents(work, limit);
  for (const agent of silent) await returnTasksOf(work, agent.id, "the agent fell silent");
  return silent.length === limit;
}

export async function returnTasksOf(work: Omit<Work, "caller">, agentId: AgentId, reason: string): Promise<number> {
  const held = await listHeldTasks(work.db, agentId);
  for (const task of held) await returnToQueue(work, task, agentId, reason);
  return held.length;
}

async function returnToQueue(
  work: Omit<Work, "caller">,
  task: Task,
  agentId: AgentId,
  reason: string | null,
): Promise<void> {
  const changes = decideRelease(task, work.now);
  await saveTask(work.db, task, changes);
  const status = changes.status ?? task.status;
  work.record(
    taskEvent.released(task.id, { workflow_id: task.workflowId, agent_id: agentId, reason, status }, [
      ...channelsOf(task),
      `agent:${agentId}`,
    ]),
  );
  if (status !== task.status) await announceProgress(work, task.workflowId, { task_id: task.id, status });
}

export async function freeHolder(work: Work, task: Task): Promise<void> {
  const holder = task.claimedBy === null ? undefined : await findAgent(work.db, task.claimedBy);
  if (holder) await freeAgent(work, holder, task);
}

/** The agent has nothing in hand any more, unless it has turned to another task. */
async function freeAgent(work: Work, agent: Agent, task: Task): Promise<void> {
  if (agent.currentTaskId === task.id) await occupyAgent(work, agent, null);
}

const channelsOf = (task: Task): string[] => (task.workflowId === null ? [] : [`workflow:${task.workflowId}`]);
