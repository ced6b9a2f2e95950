import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { DependencyRow, NewTaskRow, TaskRowChanges } from "../../storage/schema.ts";
import type { Task } from "./model.ts";

/** Rows for one statement: databases limit how many values they take at once. */
const tasksAtOnce = 500;

const dependenciesAtOnce = 5_000;

export async function insertTasks(db: Db, tasks: readonly Task[]): Promise<void> {
  const rows = await numberRows(db, tasks.map(rowOf));
  const [only, ...more] = rows;
  if (only && more.length === 0) {
    await db.run(insertion(db.q, only));
    return;
  }
  for (let at = 0; at < rows.length; at += tasksAtOnce) {
    await db.run(db.q.insertInto("task").values(rows.slice(at, at + tasksAtOnce)));
  }
}

const insertion = prepare((q, row: NewTaskRow) => q.insertInto("task").values(row));

/** SQLite has one writer at a time; PostgreSQL, where many insert at once, counts by itself. */
async function numberRows(db: Db, rows: readonly NewTaskRow[]): Promise<NewTaskRow[]> {
  if (db.dialect === "postgres") return [...rows];
  const last = (await db.first(lastNumber(db.q)))?.last ?? 0;
  return rows.map((row, place) => ({ ...row, number: last + 1 + place }));
}

const lastNumber = prepare((q) => q.selectFrom("task").select((of) => of.fn.max("number").as("last")));

export async function insertDependencies(db: Db, dependencies: readonly DependencyRow[]): Promise<void> {
  for (let at = 0; at < dependencies.length; at += dependenciesAtOnce) {
    await db.run(db.q.insertInto("dependency").values(dependencies.slice(at, at + dependenciesAtOnce)));
  }
}

export async function saveTask(db: Db, read: Task, changes: Partial<Task>): Promise<void> {
  const { number: _, plan, context, outcomeDetail, files, capabilities, ...plain } = changes;
  const json = Object.entries({ plan, context, outcomeDetail, files, capabilities }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value === null ? null : JSON.stringify(value)]],
  );
  const columns = { ...plain, ...(Object.fromEntries(json) as TaskRowChanges), version: read.version + 1 };
  await saveVersioned(db, update(db.q, columns, read.id, read.version));
}

const update = prepare((q, changes: TaskRowChanges, id: TaskId, version: number) =>
  q.updateTable("task").set(changes).where("id", "=", id).where("version", "=", version),
);

const rowOf = ({ number: _, ...task }: Task): NewTaskRow => ({
  ...task,
  plan: task.plan === null ? null : JSON.stringify(task.plan),
  context: JSON.stringify(task.context),
  outcomeDetail: task.outcomeDetail === null ? null : JSON.stringify(task.outcomeDetail),
  files: JSON.stringify(task.files),
  capabilities: JSON.stringify(task.capabilities),
});
