import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import type { Share, Task } from "./model.ts";
import { taskOf } from "./queries.ts";

const none: Share = { tasks: [], total: 0 };

/** Tasks of the same workflow that come before this one, the nearest ones, in order. Cancelled ones are not among them. */
export async function listPriorTasks(db: Db, task: Task, limit: number): Promise<Share> {
  if (task.workflowId === null) return none;
  const rows = await db.all(priorTo(db.q, task.workflowId, task.sequence, limit));
  const counted = await db.first(priorCount(db.q, task.workflowId, task.sequence));
  return { tasks: rows.reverse().map(taskOf), total: Number(counted?.count ?? 0) };
}

const prior = (q: Db["q"], workflowId: WorkflowId, sequence: number) =>
  q
    .selectFrom("task")
    .where("workflowId", "=", workflowId)
    .where("sequence", "<", sequence)
    .where("status", "<>", "cancelled");

const priorTo = prepare((q, workflowId: WorkflowId, sequence: number, limit: number) =>
  prior(q, workflowId, sequence).selectAll().orderBy("sequence", "desc").orderBy("name", "desc").limit(limit),
);

const priorCount = prepare((q, workflowId: WorkflowId, sequence: number) =>
  prior(q, workflowId, sequence).select((of) => of.fn.countAll<number>().as("count")),
);

/** The other tasks of its parallel group, in order, without cancelled ones. */
export async function listSiblings(db: Db, task: Task, limit: number): Promise<Share> {
  if (task.workflowId === null || task.parallelGroup === null) return none;
  const query = db.q
    .selectFrom("task")
    .where("workflowId", "=", task.workflowId)
    .where("parallelGroup", "=", task.parallelGroup)
    .where("id", "<>", task.id)
    .where("status", "<>", "cancelled");
  const rows = await db.all(query.selectAll().orderBy("sequence").orderBy("name").limit(limit));
  const counted = await db.first(query.select((of) => of.fn.countAll<number>().as("count")));
  return { tasks: rows.map(taskOf), total: Number(counted?.count ?? 0) };
}

/** What it depends on, in order, without cancelled ones. */
export async function listLivingDependencies(db: Db, task: Task, limit: number): Promise<Share> {
  const rows = await db.all(livingOf(db.q, task.id, limit));
  const counted = await db.first(livingCount(db.q, task.id));
  return { tasks: rows.map(taskOf), total: Number(counted?.count ?? 0) };
}

const living = (q: Db["q"], taskId: TaskId) =>
  q
    .selectFrom("dependency")
    .innerJoin("task", "task.id", "dependency.dependsOnId")
    .where("dependency.taskId", "=", taskId)
    .where("task.status", "<>", "cancelled");

const livingOf = prepare((q, taskId: TaskId, limit: number) =>
  living(q, taskId).selectAll("task").orderBy("task.sequence").orderBy("task.name").limit(limit),
);

const livingCount = prepare((q, taskId: TaskId) =>
  living(q, taskId).select((of) => of.fn.countAll<number>().as("count")),
);
