import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { isFinished } from "../lifecycle.ts";
import type { Work } from "../work.ts";
import { getOwnWorkflow } from "../workflow/operations.ts";
import { findTasksByName, raiseTails } from "./edit-store.ts";
import { taskEvent } from "./events.ts";
import type { Task } from "./model.ts";
import { newTask } from "./new-task.ts";
import { getTaskToWrite } from "./operations.ts";
import { insertDependencies, insertTasks, saveTask } from "./store.ts";

interface Addition {
  readonly workflowId: WorkflowId;
  readonly name: string;
  readonly description: string;
  readonly sequence: number;
  readonly dependsOn: readonly string[];
}

/** Puts one more task into a plan that is already under way. Nothing can depend on it yet, so no circle can arise. */
export async function addToPlan(work: Work, ask: Addition): Promise<Task> {
  const workflow = await getOwnWorkflow(work, ask.workflowId);
  if (workflow.plan === null || isFinished(workflow.status)) {
    throw new Refusal("INVALID_STATE", "Tasks are added to a plan that is set and not finished.");
  }
  const names = [...new Set(ask.dependsOn)];
  const found = await findTasksByName(work.db, workflow.id, [ask.name, ...names]);
  if (found.has(ask.name)) throw new Refusal("DUPLICATE_TASK_NAME", "The plan has a task of that name.");
  const dependencies = names.map((name) => found.get(name) ?? refuseUnknown(name));
  const open = dependencies.filter((task) => !isFinished(task.status));
  const task = newTask(
    {
      id: work.newId("task"),
      workflowId: workflow.id,
      developerId: workflow.developerId,
      name: ask.name,
      description: ask.description,
      sequence: ask.sequence,
      status: "planned",
      waitingOn: open.length,
    },
    work.now,
  );
  await insertTasks(work.db, [task]);
  await insertDependencies(
    work.db,
    dependencies.map((dependency) => ({ taskId: task.id, dependsOnId: dependency.id })),
  );
  // Whoever finishes one of them at this moment would not see the new task wait; the save makes the two collide.
  for (const dependency of open) await saveTask(work.db, dependency, { tail: Math.max(dependency.tail, 2) });
  await raiseTails(
    work.db,
    open.filter((dependency) => dependency.tail < 2).map((dependency) => dependency.id),
  );
  work.record(
    taskEvent.created(task.id, { workflow_id: workflow.id, name: task.name, status: "planned" }, [
      `workflow:${workflow.id}`,
    ]),
  );
  return task;
}

function refuseUnknown(name: string): never {
  throw new Refusal("UNKNOWN_DEPENDENCY", "A task it should wait for is not in the plan.", undefined, { name });
}

/** Gives a task another place in the order. What it waits for still comes first. */
export async function reorderTask(work: Work, id: TaskId, sequence: number): Promise<void> {
  const task = await getTaskToWrite(work, id);
  if (isFinished(task.status)) throw new Refusal("INVALID_STATE", "A finished task keeps its place.");
  if (task.sequence === sequence) return;
  await saveTask(work.db, task, { sequence, updatedAt: work.now });
  const channels = task.workflowId === null ? [] : [`workflow:${task.workflowId}`];
  work.record(taskEvent.moved(id, { workflow_id: task.workflowId, from: task.sequence, to: sequence }, channels));
}
