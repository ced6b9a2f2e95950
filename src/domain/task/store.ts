import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { DependencyRow, TaskRow } from "../../storage/schema.ts";
import type { Task } from "./model.ts";

/** Rows for one statement: databases limit how many values they take at once. */
const tasksAtOnce = 500;

const dependenciesAtOnce = 5_000;

export async function insertTasks(db: Db, tasks: readonly Task[]): Promise<void> {
  const [only, ...more] = tasks;
  if (only && more.length === 0) {
    await db.run(insertion(db.q, rowOf(only)));
    return;
  }
  for (let at = 0; at < tasks.length; at += tasksAtOnce) {
    await db.run(db.q.insertInto("task").values(tasks.slice(at, at + tasksAtOnce).map(rowOf)));
  }
}

const insertion = prepare((q, row: TaskRow) => q.insertInto("task").values(row));

export async function insertDependencies(db: Db, dependencies: readonly DependencyRow[]): Promise<void> {
  for (let at = 0; at < dependencies.length; at += dependenciesAtOnce) {
    await db.run(db.q.insertInto("dependency").values(dependencies.slice(at, at + dependenciesAtOnce)));
  }
}

export async function saveTask(db: Db, read: Task, changes: Partial<Task>): Promise<void> {
  const { plan, context, outcomeDetail, files, capabilities, ...plain } = changes;
  const json = Object.entries({ plan, context, outcomeDetail, files, capabilities }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value === null ? null : JSON.stringify(value)]],
  );
  const columns = { ...plain, ...(Object.fromEntries(json) as Partial<TaskRow>), version: read.version + 1 };
  await saveVersioned(db, update(db.q, columns, read.id, read.version));
}

const update = prepare((q, changes: Partial<TaskRow>, id: TaskId, version: number) =>
  q.updateTable("task").set(changes).where("id", "=", id).where("version", "=", version),
);

const rowOf = (task: Task): TaskRow => ({
  ...task,
  plan: task.plan === null ? null : JSON.stringify(task.plan),
  context: JSON.stringify(task.context),
  outcomeDetail: task.outcomeDetail === null ? null : JSON.stringify(task.outcomeDetail),
  files: JSON.stringify(task.files),
  capabilities: JSON.stringify(task.capabilities),
});
