import { Refusal } from "../../contract/refusal.ts";
import type { Work } from "../work.ts";
import type { Workflow } from "../workflow/model.ts";
import { taskEvent } from "./events.ts";
import { listOpenDependencies } from "./graph-queries.ts";
import { isWaiting, type Task } from "./model.ts";
import { newTask } from "./new-task.ts";
import { type Step, takeStep } from "./operations.ts";
import { stepEvent } from "./step-events.ts";
import { checkTeamStep } from "./step-rules.ts";
import { insertTasks, saveTask } from "./store.ts";

export { stepEvent };

interface NewTeamTask {
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

/** Moves a task on in the team's way. The caller has read it as its own, and says in the team's words what happened. */
export async function moveTask(work: Work, task: Task, to: "active" | "blocked"): Promise<Task> {
  checkTeamStep(task, to);
  if (isWaiting(task) && to === "active") throw await waitRefusal(work, task);
  const startedAt = to === "active" && task.startedAt === null ? work.now : task.startedAt;
  return takeStep(work, task, { status: to, updatedAt: work.now, endedAt: null, startedAt });
}

/** What ending a task in the team's way writes, or a refusal. */
export function decideTeamEnd(
  work: Work,
  task: Task,
  end: { to: "done"; outcome: string } | { to: "cancelled"; error: string },
): Step {
  const { to, ...said } = end;
  checkTeamStep(task, to);
  return { status: to, updatedAt: work.now, endedAt: work.now, ...said };
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
