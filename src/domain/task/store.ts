import type { AgentId, DeveloperId, TaskId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { TaskRow } from "../../storage/schema.ts";
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

export interface ReadyFilter {
  readonly workflowIds?: readonly WorkflowId[] | undefined;
  readonly statuses: readonly Lifecycle[];
  readonly limit: number;
}

/** Free tasks that nothing holds up, in order. */
export async function listReadyTasks(db: Db, filter: ReadyFilter): Promise<Task[]> {
  let query = db.q
    .selectFrom("task")
    .selectAll()
    .where("status", "in", filter.statuses)
    .where("waitingOn", "=", 0)
    .where("claimedBy", "is", null)
    .orderBy("sequence")
    .orderBy("name")
    .limit(filter.limit);
  if (filter.workflowIds !== undefined) query = query.where("workflowId", "in", filter.workflowIds);
  return (await db.all(query)).map(taskOf);
}

/** Ready tasks of every workflow that is under way. */
export async function listAvailableTasks(db: Db, limit: number): Promise<Task[]> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .innerJoin("workflow", "workflow.id", "task.workflowId")
      .selectAll("task")
      .where("workflow.status", "in", ["preparing", "active"])
      .where("task.status", "=", "planned")
      .where("task.waitingOn", "=", 0)
      .where("task.claimedBy", "is", null)
      .orderBy("task.sequence")
      .orderBy("task.name")
      .limit(limit),
  );
  return rows.map(taskOf);
}

export async function countTasksByStatus(db: Db, workflowId: WorkflowId): Promise<StatusCount[]> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .select((of) => [
        "status",
        of.fn.countAll<number>().as("count"),
        of.fn.sum<number>(of.case().when("waitingOn", ">", 0).then(1).else(0).end()).as("waiting"),
      ])
      .where("workflowId", "=", workflowId)
      .groupBy("status"),
  );
  return rows.map((row) => ({
    status: row.status as Lifecycle,
    count: Number(row.count),
    waiting: Number(row.waiting ?? 0),
  }));
}

export interface StatusCount {
  readonly status: Lifecycle;
  readonly count: number;
  readonly waiting: number;
}

/** The lowest sequence with unfinished work, and the highest there is. */
export async function sequenceBounds(db: Db, workflowId: WorkflowId): Promise<{ open: number | null; last: number }> {
  const open = await db.first(
    db.q
      .selectFrom("task")
      .select("sequence")
      .where("workflowId", "=", workflowId)
      .where("status", "not in", finished)
      .orderBy("sequence")
      .limit(1),
  );
  const last = await db.first(
    db.q
      .selectFrom("task")
      .select("sequence")
      .where("workflowId", "=", workflowId)
      .orderBy("sequence", "desc")
      .limit(1),
  );
  return { open: open?.sequence ?? null, last: last?.sequence ?? 0 };
}

export async function highestSequenceBelow(db: Db, workflowId: WorkflowId, below: number): Promise<number> {
  const row = await db.first(
    db.q
      .selectFrom("task")
      .select("sequence")
      .where("workflowId", "=", workflowId)
      .where("sequence", "<", below)
      .orderBy("sequence", "desc")
      .limit(1),
  );
  return row?.sequence ?? 0;
}

export async function listGroups(db: Db, workflowId: WorkflowId): Promise<GroupCount[]> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .select((of) => [
        "parallelGroup",
        of.fn.countAll<number>().as("count"),
        of.fn.sum<number>(of.case().when("status", "in", finished).then(1).else(0).end()).as("finished"),
      ])
      .where("workflowId", "=", workflowId)
      .where("parallelGroup", "is not", null)
      .groupBy("parallelGroup")
      .orderBy("parallelGroup"),
  );
  return rows.map((row) => ({
    group: row.parallelGroup ?? "",
    count: Number(row.count),
    finished: Number(row.finished ?? 0),
  }));
}

export interface GroupCount {
  readonly group: string;
  readonly count: number;
  readonly finished: number;
}

/** Tasks of a workflow that wait for others, first in sequence first. */
export async function listWaitingTasks(db: Db, workflowId: WorkflowId, limit: number): Promise<Task[]> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .selectAll()
      .where("workflowId", "=", workflowId)
      .where("status", "=", "planned")
      .where("waitingOn", ">", 0)
      .orderBy("sequence")
      .orderBy("name")
      .limit(limit),
  );
  return rows.map(taskOf);
}

export async function listGroupMembers(db: Db, workflowId: WorkflowId, group: string): Promise<Task[]> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .selectAll()
      .where("workflowId", "=", workflowId)
      .where("parallelGroup", "=", group)
      .orderBy("sequence")
      .orderBy("name")
      .limit(200),
  );
  return rows.map(taskOf);
}

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
export async function listDependencyNames(db: Db, workflowId: WorkflowId): Promise<ReadonlyMap<string, string[]>> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .innerJoin("dependency", "dependency.dependsOnId", "task.id")
      .select(["dependency.taskId", "task.name"])
      .where("task.workflowId", "=", workflowId)
      .orderBy("task.sequence")
      .orderBy("task.name"),
  );
  const names = new Map<string, string[]>();
  for (const { taskId, name } of rows) {
    const known = names.get(taskId);
    if (known) known.push(name);
    else names.set(taskId, [name]);
  }
  return names;
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

/** Names of what each of these tasks still waits for. */
export async function listOpenDependencies(db: Db, taskIds: readonly TaskId[]): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  if (taskIds.length === 0) return names;
  const rows = await db.all(
    db.q
      .selectFrom("dependency")
      .innerJoin("task", "task.id", "dependency.dependsOnId")
      .select(["dependency.taskId", "task.name"])
      .where("dependency.taskId", "in", taskIds)
      .where("task.status", "not in", finished)
      .orderBy("task.sequence")
      .orderBy("task.name"),
  );
  for (const row of rows) names.set(row.taskId, [...(names.get(row.taskId) ?? []), row.name]);
  return names;
}

/** One dependency less for everyone who waited for this task. */
export async function releaseDependents(db: Db, taskId: TaskId): Promise<void> {
  await db.run(
    db.q
      .updateTable("task")
      .set((of) => ({ waitingOn: of("waitingOn", "-", 1) }))
      .where("id", "in", (of) => of.selectFrom("dependency").select("taskId").where("dependsOnId", "=", taskId)),
  );
}

export async function countRunning(db: Db, workflowId: WorkflowId): Promise<number> {
  const row = await db.first(
    db.q
      .selectFrom("task")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("workflowId", "=", workflowId)
      .where("status", "in", ["preparing", "active"]),
  );
  return Number(row?.count ?? 0);
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

/** When the first of a workflow's tasks was begun. */
export async function firstStart(db: Db, workflowId: WorkflowId): Promise<number | null> {
  const row = await db.first(
    db.q
      .selectFrom("task")
      .select((of) => of.fn.min("startedAt").as("at"))
      .where("workflowId", "=", workflowId),
  );
  return row?.at == null ? null : Number(row.at);
}

/** What an agent holds and has not finished. */
export async function listHeldTasks(db: Db, agentId: AgentId): Promise<Task[]> {
  return (await db.all(db.q.selectFrom("task").selectAll().where("claimedBy", "=", agentId))).map(taskOf);
}

export async function insertTask(db: Db, task: Task): Promise<void> {
  await db.run(db.q.insertInto("task").values(rowOf(task)));
}

export async function insertDependency(db: Db, taskId: TaskId, dependsOnId: TaskId): Promise<void> {
  await db.run(db.q.insertInto("dependency").values({ taskId, dependsOnId }));
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

const taskOf = (row: TaskRow): Task => ({
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
