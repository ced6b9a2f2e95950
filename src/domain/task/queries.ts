import type { AgentId, TaskId, WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { IdSet } from "../../storage/id-set.ts";
import { prepare } from "../../storage/prepared.ts";
import type { TaskRow } from "../../storage/schema.ts";
import { finished, type Lifecycle } from "../lifecycle.ts";
import type { Task, TaskPlan } from "./model.ts";

export async function findTask(db: Db, id: TaskId): Promise<Task | undefined> {
  const row = await db.first(byId(db.q, id));
  return row && taskOf(row);
}

const byId = prepare((q, id: TaskId) => q.selectFrom("task").selectAll().where("id", "=", id));

/** Those among these ids; at most as many as one statement takes. */
export async function listTasksById(db: Db, ids: readonly TaskId[]): Promise<ReadonlyMap<string, Task>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .selectAll()
      .where("id", "in", [...new Set(ids)]),
  );
  return new Map(rows.map(taskOf).map((task) => [task.id, task]));
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

/** The tasks of a workflow, as a part of other queries. */
export const taskIdsIn = (db: Db, workflowId: WorkflowId): IdSet<TaskId> =>
  db.q.selectFrom("task").select("id").where("workflowId", "=", workflowId);

interface BoardFilter {
  readonly id?: TaskId | undefined;
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
  if (filter.id !== undefined) query = query.where("id", "=", filter.id);
  if (filter.workflowId !== undefined) query = query.where("workflowId", "=", filter.workflowId);
  if (filter.statuses !== undefined) query = query.where("status", "in", filter.statuses);
  if (filter.isWaiting !== undefined) query = query.where("waitingOn", filter.isWaiting ? ">" : "=", 0);
  return (await db.all(query)).map(taskOf);
}

export interface TaskCounts {
  readonly all: number;
  /** Done, or given up. */
  readonly done: number;
}

/** How far these workflows are. */
export async function countTasks(db: Db, ids: readonly WorkflowId[]): Promise<ReadonlyMap<WorkflowId, TaskCounts>> {
  const counts = new Map<WorkflowId, TaskCounts>();
  if (ids.length === 0) return counts;
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .select(["workflowId", "status", (of) => of.fn.countAll<number>().as("count")])
      .where("workflowId", "in", ids)
      .groupBy(["workflowId", "status"]),
  );
  for (const { workflowId, status, count } of rows) {
    if (workflowId === null) continue;
    const { all, done } = counts.get(workflowId) ?? { all: 0, done: 0 };
    const over = status === "done" || status === "cancelled" ? Number(count) : 0;
    counts.set(workflowId, { all: all + Number(count), done: done + over });
  }
  return counts;
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
      .where("takenBy", "=", agentId)
      .where("status", "not in", finished)
      .orderBy("sequence")
      .orderBy("name"),
  );
  return rows.map(taskOf);
}

/** Whether one of these agents has a task of a workflow in hand, or this very one. */
export async function holdsAnyIn(
  db: Db,
  workflowId: WorkflowId,
  agents: IdSet<AgentId>,
  taskId?: TaskId,
): Promise<boolean> {
  const query = db.q
    .selectFrom("task")
    .select("id")
    .where("workflowId", "=", workflowId)
    .where("takenBy", "in", agents);
  return (await db.first((taskId === undefined ? query : query.where("id", "=", taskId)).limit(1))) !== undefined;
}

export const taskOf = (row: TaskRow): Task => ({
  ...row,
  plan: row.plan === null ? null : (JSON.parse(row.plan) as TaskPlan),
  context: JSON.parse(row.context) as Record<string, unknown>,
  outcomeDetail: row.outcomeDetail === null ? null : (JSON.parse(row.outcomeDetail) as Record<string, unknown>),
  files: JSON.parse(row.files) as string[],
  capabilities: JSON.parse(row.capabilities) as string[],
});
