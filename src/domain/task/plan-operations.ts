import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Work } from "../work.ts";
import type { Plan, Workflow } from "../workflow/model.ts";
import { acceptPlan } from "../workflow/operations.ts";
import { taskEvent } from "./events.ts";
import { layOut } from "./graph.ts";
import type { Task } from "./model.ts";
import { insertDependencies, insertTasks } from "./store.ts";

type PlanItem = Pick<
  Task,
  "name" | "description" | "sequence" | "parallelGroup" | "complexity" | "files" | "capabilities"
> & { readonly dependsOn: readonly string[] };

/** Gives a workflow its plan: every task of it, or none. */
export async function setWorkflowPlan(
  work: Work,
  id: WorkflowId,
  ask: { plan: Plan; items: readonly PlanItem[] },
): Promise<{ tasks: number; groups: number }> {
  const workflow = await acceptPlan(work, id, ask.plan, ask.items.length);
  await insertPlannedTasks(work, workflow, ask.items);
  const groups = new Set(ask.items.flatMap((item) => item.parallelGroup ?? []));
  return { tasks: ask.items.length, groups: groups.size };
}

async function insertPlannedTasks(work: Work, workflow: Workflow, items: readonly PlanItem[]): Promise<void> {
  const nodes = layOut(items);
  const ids = new Map<string, TaskId>(items.map((item) => [item.name, work.newId("task")]));
  const idOf = (name: string): TaskId => ids.get(name) ?? work.newId("task");
  const tasks = items.map(({ dependsOn: _, ...item }): Task => {
    const node = nodes.get(item.name);
    return {
      ...item,
      number: null,
      id: idOf(item.name),
      workflowId: workflow.id,
      developerId: workflow.developerId,
      status: "planned",
      waitingOn: node?.waitingOn ?? 0,
      tail: node?.tail ?? 1,
      plan: null,
      context: {},
      outcome: null,
      outcomeDetail: null,
      error: null,
      takenBy: null,
      fence: 0,
      worktreeId: null,
      startedAt: null,
      endedAt: null,
      createdAt: work.now,
      updatedAt: work.now,
      version: 1,
    };
  });
  await insertTasks(work.db, tasks);
  const dependencies = items.flatMap((item) =>
    [...new Set(item.dependsOn)].map((name) => ({ taskId: idOf(item.name), dependsOnId: idOf(name) })),
  );
  await insertDependencies(work.db, dependencies);
  for (const { id, name, status } of tasks) {
    work.record(taskEvent.created(id, { workflow_id: workflow.id, name, status }, [`workflow:${workflow.id}`]));
  }
}
