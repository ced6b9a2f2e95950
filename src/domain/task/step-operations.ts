import { Refusal } from "../../contract/refusal.ts";
import { isFinished, type Lifecycle } from "../lifecycle.ts";
import type { Work } from "../work.ts";
import { announceProgress } from "../workflow/brief-operations.ts";
import type { Workflow } from "../workflow/model.ts";
import { taskEvent } from "./events.ts";
import { listOpenDependencies } from "./graph-queries.ts";
import { releaseDependents } from "./graph-store.ts";
import { settleContainer } from "./home-operations.ts";
import { isWaiting, type Task } from "./model.ts";
import { newTask } from "./new-task.ts";
import { freeHolder } from "./operations.ts";
import { stepEvent } from "./step-events.ts";
import { checkTeamStep } from "./step-rules.ts";
import { insertTasks, saveTask } from "./store.ts";

export { stepEvent };

export interface NewTeamTask {
  readonly name: string;
  readonly description: string;
  readonly files: readonly string[];
  readonly status: "planned" | "active";
  readonly workflow: Workflow;
}

/** Makes a task of the team, and tells all families; the caller says in the team's words how that came about. */
export async function addTask(work: Work, ask: NewTeamTask): Promise<Task> {
  const { name, description, files, status, workflow } = ask;
  const task = newTask(
    {
      id: work.newId("task"),
      workflowId: workflow.id,
      developerId: work.caller.developerId,
      name,
      description,
      sequence: 1,
      status,
      files: [...files],
    },
    work.now,
  );
  await insertTasks(work.db, [task]);
  work.record(taskEvent.created(task.id, { workflow_id: task.workflowId, name, status }, channelsOf(task)));
  return task;
}

export interface TeamStep {
  readonly to: Lifecycle;
  readonly outcome?: string | undefined;
  /** Why it was given up. */
  readonly error?: string | undefined;
}

/**
 * Moves a task on in the team's way, and tells all families (MI8). The caller has read it as its own, and says in the
 * team's words what happened.
 */
export async function moveTask(work: Work, task: Task, ask: TeamStep): Promise<Task> {
  checkTeamStep(task, ask.to);
  if (isWaiting(task) && ask.to === "active") throw await waitRefusal(work, task);
  const ends = isFinished(ask.to);
  const changes: Partial<Task> = {
    status: ask.to,
    updatedAt: work.now,
    endedAt: ends ? work.now : null,
    ...(ask.to === "active" && task.startedAt === null ? { startedAt: work.now } : {}),
    ...(ask.outcome === undefined ? {} : { outcome: ask.outcome }),
    ...(ask.error === undefined ? {} : { error: ask.error }),
  };
  await saveTask(work.db, task, changes);
  const step = { workflow_id: task.workflowId, from: task.status, to: ask.to };
  work.record(taskEvent.statusChanged(task.id, step, channelsOf(task)));
  await announceProgress(work, task.workflowId, { task_id: task.id, status: ask.to });
  if (ends) {
    await releaseDependents(work.db, task.id);
    await freeHolder(work, task);
    await settleContainer(work, task);
  }
  return { ...task, ...changes, version: task.version + 1 };
}

async function waitRefusal(work: Work, task: Task): Promise<Refusal> {
  const names = (await listOpenDependencies(work.db, [task.id])).get(task.id) ?? [];
  return new Refusal(
    "TASK_BLOCKED",
    "What this task depends on is not finished.",
    "Finish what blocked_by names first, or start another task.",
    { blocked_by: names.slice(0, 20) },
  );
}

/** Edits a task that is still planned. */
export async function editPlannedTask(
  work: Work,
  task: Task,
  changes: Partial<Pick<Task, "name" | "description">>,
): Promise<Task> {
  await saveTask(work.db, task, { ...changes, updatedAt: work.now });
  return { ...task, ...changes, updatedAt: work.now, version: task.version + 1 };
}

export const channelsOf = (task: Task): string[] => (task.workflowId === null ? [] : [`workflow:${task.workflowId}`]);
