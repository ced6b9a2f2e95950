import { checkFits } from "../../contract/free-form.ts";
import type { AgentId, TaskId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Agent } from "../agent/model.ts";
import { getOwnAgent, occupyAgent } from "../agent/operations.ts";
import { findAgent } from "../agent/queries.ts";
import { isFinished, type Lifecycle } from "../lifecycle.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { SystemWork, Work } from "../work.ts";
import { announceProgress, resumeByItself } from "../workflow/brief-operations.ts";
import type { Workflow } from "../workflow/model.ts";
import { workflowIdsUnderWay } from "../workflow/queries.ts";
import { taskEvent } from "./events.ts";
import { listOpenDependencies } from "./graph-queries.ts";
import { releaseDependents } from "./graph-store.ts";
import { isWaiting, type Task, type TaskPlan } from "./model.ts";
import { newTask } from "./new-task.ts";
import { getTask, listHeldTasks } from "./queries.ts";
import { listAvailableTasks, type Page } from "./queue-queries.ts";
import {
  checkTaskRight,
  decideRelease,
  decideReplan,
  decideStatus,
  decideTake,
  fits,
  largestContext,
  type StatusAsk,
  type Step,
  type TakeDecision,
} from "./rules.ts";
import { insertTasks, saveTask } from "./store.ts";

export { layOut } from "./graph.ts";
export { type StatusAsk, type Step, stepRefusal } from "./rules.ts";

type Say = (status: Lifecycle) => string;

/** A task the caller may write to, or a refusal. */
export async function getTaskToWrite(work: Work, id: TaskId, fence?: number): Promise<Task> {
  const task = await getTask(work.db, id);
  const holder = task.takenBy === null ? undefined : await findAgent(work.db, task.takenBy);
  checkTaskRight(task, { caller: work.caller, holder, fence });
  return task;
}

/** What a step of a task writes, in a family's words for it, or a refusal. */
export async function decideStep(work: Work, task: Task, ask: StatusAsk): Promise<Step> {
  const open = isWaiting(task) ? await listOpenDependencies(work.db, [task.id]) : undefined;
  return decideStatus(task, ask, { now: work.now, blockedBy: open?.get(task.id) ?? [] });
}

/**
 * Moves a task on and tells all families (MI8); whatever waited for one that is finished waits for one less. What else
 * follows from an end is the business of whoever ends it.
 */
export async function takeStep(work: Work, task: Task, step: Step): Promise<Task> {
  await saveTask(work.db, task, step);
  const { id, workflowId: workflow_id, status: from } = task;
  work.record(taskEvent.statusChanged(id, { workflow_id, from, to: step.status }, channelsOf(task)));
  await announceProgress(work, task.workflowId, { task_id: id, status: step.status });
  if (isFinished(step.status)) await releaseDependents(work.db, id);
  if (task.endedAt !== null && step.endedAt === null) await resumeByItself(work, task.workflowId);
  return { ...task, ...step, version: task.version + 1 };
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
  if (task.endedAt !== null) await resumeByItself(work, task.workflowId);
  return task;
}

export interface Taken {
  readonly decision: TakeDecision;
  /** As it is now. */
  readonly task: Task;
}

export async function takeTask(work: Work, ask: { taskId: TaskId; agentId: AgentId; say: Say }): Promise<Taken> {
  const agent = await getOwnAgent(work, ask.agentId);
  if (agent.status === "offline") {
    throw new Refusal("INVALID_STATE", `Agent ${agent.id} is offline.`, nextStep("registerAgain"));
  }
  const task = await getTask(work.db, ask.taskId);
  const decision = decideTake(task, agent.id, ask.say);
  if (decision.kind !== "granted") return { decision, task };
  const changes = { takenBy: agent.id, fence: decision.fence, updatedAt: work.now };
  await saveTask(work.db, task, changes);
  work.record(
    taskEvent.claimed(task.id, { workflow_id: task.workflowId, agent_id: agent.id, fence: decision.fence }, [
      ...channelsOf(task),
      `agent:${agent.id}`,
    ]),
  );
  await occupyAgent(work, agent, task.id);
  return { decision, task: { ...task, ...changes, version: task.version + 1 } };
}

export async function releaseTask(
  work: Work,
  ask: { taskId: TaskId; agentId: AgentId; reason: string | null },
): Promise<void> {
  const agent = await getOwnAgent(work, ask.agentId);
  const task = await getTask(work.db, ask.taskId);
  if (task.takenBy !== agent.id || isFinished(task.status)) {
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
  const viewer = await readViewer(work);
  // Who asks for any is offered nothing of somebody private's; who names the workflow knows of it (TK32).
  const isOffered = (task: Task): boolean => ask.workflowId !== undefined || viewer.knows(task);
  const fitting: Task[] = [];
  // Capabilities are matched here, page after page, so that a queue of unfit work never hides the fit.
  let page: Page = { among: workflowIdsUnderWay(work.db), workflowId: ask.workflowId, limit: ask.limit, offset: 0 };
  for (;;) {
    const candidates = await listAvailableTasks(work.db, page);
    fitting.push(...candidates.filter((task) => isOffered(task) && fits(task, agent.capabilities)));
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

/** Puts everything an agent holds back into the queue. Answers how many tasks that were. */
export async function returnTasksOf(work: SystemWork, agentId: AgentId, reason: string): Promise<number> {
  const held = await listHeldTasks(work.db, agentId);
  for (const task of held) await returnToQueue(work, task, agentId, reason);
  return held.length;
}

async function returnToQueue(work: SystemWork, task: Task, agentId: AgentId, reason: string | null): Promise<void> {
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
  const holder = task.takenBy === null ? undefined : await findAgent(work.db, task.takenBy);
  if (holder) await freeAgent(work, holder, task);
}

/** The agent has nothing in hand any more, unless it has turned to another task. */
async function freeAgent(work: Work, agent: Agent, task: Task): Promise<void> {
  if (agent.currentTaskId === task.id) await occupyAgent(work, agent, null);
}

const channelsOf = (task: Task): string[] => (task.workflowId === null ? [] : [`workflow:${task.workflowId}`]);
