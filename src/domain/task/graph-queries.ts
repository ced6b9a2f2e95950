import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { finished } from "../lifecycle.ts";
import type { Task } from "./model.ts";
import { taskOf } from "./queries.ts";

export async function listDependencies(db: Db, taskId: TaskId): Promise<Task[]> {
  const rows = await db.all(
    db.q
      .selectFrom("dependency")
      .innerJoin("task", "task.id", "dependency.dependsOnId")
      .selectAll("task")
      .where("dependency.taskId", "=", taskId)
      .orderBy("task.sequence")
      .orderBy("task.name"),
  );
  return rows.map(taskOf);
}

/** Names of what each task of a workflow depends on, by the id of the task. */
export async function listDependencyNames(
  db: Db,
  workflowId: WorkflowId,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .innerJoin("dependency", "dependency.dependsOnId", "task.id")
      .select(["dependency.taskId", "task.name"])
      .where("task.workflowId", "=", workflowId)
      .orderBy("task.sequence")
      .orderBy("task.name"),
  );
  return groupBy(rows.map(({ taskId, name }) => [taskId, name]));
}

/** Names of what each of these tasks still waits for. */
export async function listOpenDependencies(
  db: Db,
  taskIds: readonly TaskId[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await listBefore(db, taskIds, { isOpenOnly: true });
  return groupBy(rows.map(({ taskId, name }) => [taskId, name]));
}

/** Names of what each of these tasks depends on. */
export async function listNamesBefore(
  db: Db,
  taskIds: readonly TaskId[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await listBefore(db, taskIds);
  return groupBy(rows.map(({ taskId, name }) => [taskId, name]));
}

/** Ids of what each of these tasks depends on. */
export async function listDependencyIds(
  db: Db,
  taskIds: readonly TaskId[],
): Promise<ReadonlyMap<string, readonly TaskId[]>> {
  const rows = await listBefore(db, taskIds);
  return groupBy(rows.map(({ taskId, id }) => [taskId, id]));
}

interface Before {
  readonly taskId: TaskId;
  readonly id: TaskId;
  readonly name: string;
}

async function listBefore(db: Db, taskIds: readonly TaskId[], { isOpenOnly = false } = {}): Promise<readonly Before[]> {
  if (taskIds.length === 0) return [];
  const query = db.q
    .selectFrom("dependency")
    .innerJoin("task", "task.id", "dependency.dependsOnId")
    .select(["dependency.taskId", "task.id", "task.name"])
    .where("dependency.taskId", "in", taskIds)
    .orderBy("task.sequence")
    .orderBy("task.name");
  return db.all(isOpenOnly ? query.where("task.status", "not in", finished) : query);
}

function groupBy<T>(pairs: readonly (readonly [key: string, value: T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [key, value] of pairs) {
    const known = groups.get(key);
    if (known) known.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
