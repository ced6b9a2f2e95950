import type { AgentId, DeveloperId, TaskId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { DependencyRow, TaskRow } from "../../storage/schema.ts";
import { finished, type Lifecycle } from "../lifecycle.ts";
import type { Task, TaskPlan } from "./model.ts";

export async function findTask(db: Db, id: TaskId): Promise<Task | undefined> {
  const row = await db.first(db.q.selectFrom("task").selectAll().where("id", "=", id));
  return row && taskOf(row);
}

export async function getTask(db: Db, id: TaskId): Promise<Task> {
  const task = await findTask(db, id);
  if (!task) throw new Refusal("TASK_NOT_FOUND", "No task has that id.");
  return task;
}

/** In the order they were planned in. */
export async function listTasks(db: Db, workflowId: WorkflowId, limit: number): Promise<Task[]> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .selectAll()
      .where("workflowId", "=", workflowId)
      .orderBy("sequence")
      .orderBy("name")
      .limit(limit),
  );
  return rows.map(taskOf);
}

export interface BoardFilter {
  readonly workflowId?: WorkflowId | undefined;
  readonly statuses?: readonly Lifecycle[] | undefined;
  readonly isWaiting?: boolean | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Tasks of every workflow, last changed first. */
export async function listBoard(db: Db, filter: BoardFilter): Promise<Task[]> {
  let query = db.q
    .selectFrom("task")
    .selectAll()
    .orderBy("updatedAt", "desc")
    .orderBy("id")
    .limit(filter.limit)
    .offset(filter.offset);
  if (filter.workflowId !== undefined) query = query.where("workflowId", "=", filter.workflowId);
  if (filter.statuses !== undefined) query = query.where("status", "in", filter.statuses);
  if (filter.isWaiting !== undefined) query = query.where("waitingOn", filter.isWaiting ? ">" : "=", 0);
  return (await db.all(query)).map(taskOf);
}

export async function listTaskIdsByWorktree(db: Db, workflowId: WorkflowId): Promise<ReadonlyMap<string, string[]>> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .select(["id", "worktreeId"])
      .where("workflowId", "=", workflowId)
      .where("worktreeId", "is not", null)
      .orderBy("sequence")
      .orderBy("name"),
  );
  const byWorktree = new Map<string, string[]>();
  for (const { id, worktreeId } of rows) {
    if (worktreeId !== null) byWorktree.set(worktreeId, [...(byWorktree.get(worktreeId) ?? []), id]);
  }
  return byWorktree;
}

/** What an agent holds and has not finished. */
export async function listHeldTasks(db: Db, agentId: AgentId): Promise<Task[]> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .selectAll()
      .where("claimedBy", "=", agentId)
      .where("status", "not in", finished)
      .orderBy("sequence")
      .orderBy("name"),
  );
  return rows.map(taskOf);
}

/** Rows for one statement: databases limit how many values they take at once. */
const tasksAtOnce = 500;
const dependenciesAtOnce = 5_000;

export async function insertTasks(db: Db, tasks: readonly Task[]): Promise<void> {
  for (let at = 0; at < tasks.length; at += tasksAtOnce) {
    await db.run(db.q.insertInto("task").values(tasks.slice(at, at + tasksAtOnce).map(rowOf)));
  }
}

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
  await saveVersioned(
    db,
    db.q
      .updateTable("task")
      .set({ ...plain, ...(Object.fromEntries(json) as Partial<TaskRow>), version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

const rowOf = (task: Task): TaskRow => ({
  ...task,
  plan: task.plan === null ? null : JSON.stringify(task.plan),
  context: JSON.stringify(task.context),
  outcomeDetail: task.outcomeDetail === null ? null : JSON.stringify(task.outcomeDetail),
  files: JSON.stringify(task.files),
  capabilities: JSON.stringify(task.capabilities),
});

export const taskOf = (row: TaskRow): Task => ({
  ...row,
  id: row.id as TaskId,
  workflowId: row.workflowId as WorkflowId | null,
  developerId: row.developerId as DeveloperId,
  status: row.status as Lifecycle,
  plan: row.plan === null ? null : (JSON.parse(row.plan) as TaskPlan),
  context: JSON.parse(row.context) as Record<string, unknown>,
  outcomeDetail: row.outcomeDetail === null ? null : (JSON.parse(row.outcomeDetail) as Record<string, unknown>),
  complexity: row.complexity as Task["complexity"],
  files: JSON.parse(row.files) as string[],
  capabilities: JSON.parse(row.capabilities) as string[],
  claimedBy: row.claimedBy as AgentId | null,
  worktreeId: row.worktreeId as WorktreeId | null,
});
