import type { Db } from "../../storage/db.ts";
import type { Share, Task } from "./model.ts";
import { taskOf } from "./queries.ts";

const none: Share = { tasks: [], total: 0 };

/** Tasks of the same workflow that come before this one, the nearest ones, in order. Cancelled ones are not among them. */
export async function listPriorTasks(db: Db, task: Task, limit: number): Promise<Share> {
  if (task.workflowId === null) return none;
  const query = db.q
    .selectFrom("task")
    .where("workflowId", "=", task.workflowId)
    .where("sequence", "<", task.sequence)
    .where("status", "<>", "cancelled");
  const rows = await db.all(query.selectAll().orderBy("sequence", "desc").orderBy("name", "desc").limit(limit));
  const counted = await db.first(query.select((of) => of.fn.countAll<number>().as("count")));
  return { tasks: rows.reverse().map(taskOf), total: Number(counted?.count ?? 0) };
}

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
  const query = db.q
    .selectFrom("dependency")
    .innerJoin("task", "task.id", "dependency.dependsOnId")
    .where("dependency.taskId", "=", task.id)
    .where("task.status", "<>", "cancelled");
  const rows = await db.all(query.selectAll("task").orderBy("task.sequence").orderBy("task.name").limit(limit));
  const counted = await db.first(query.select((of) => of.fn.countAll<number>().as("count")));
  return { tasks: rows.map(taskOf), total: Number(counted?.count ?? 0) };
}
