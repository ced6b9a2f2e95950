import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import { lifecycle } from "../../contract/lifecycle.ts";
import type { Db } from "../../storage/db.ts";
import type { IdSet } from "../../storage/id-set.ts";
import { finished, type Lifecycle } from "../lifecycle.ts";
import type { Task } from "./model.ts";
import { taskOf } from "./queries.ts";

/** Free tasks of one workflow in one status that nothing holds up, in order. One status, so that an index has them so. */
export async function listReadyTasks(
  db: Db,
  ask: { workflowId: WorkflowId; status: Lifecycle; limit: number },
): Promise<Task[]> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .selectAll()
      .where("workflowId", "=", ask.workflowId)
      .where("status", "=", ask.status)
      .where("waitingOn", "=", 0)
      .where("takenBy", "is", null)
      .orderBy("sequence")
      .orderBy("name")
      .limit(ask.limit),
  );
  return rows.map(taskOf);
}

export interface Page {
  /** The workflows whose tasks may be taken. */
  readonly among: IdSet<WorkflowId>;
  readonly workflowId?: WorkflowId | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A page of what can be taken now, in all of these workflows or in one of them. */
export async function listAvailableTasks(db: Db, page: Page): Promise<Task[]> {
  let query = db.q
    .selectFrom("task")
    // Joined, so that the tasks are read in the order of their index and no further than the page.
    .innerJoin(page.among.as("going"), "going.id", "task.workflowId")
    .selectAll("task")
    .where("task.status", "=", "planned")
    .where("task.waitingOn", "=", 0)
    .where("task.takenBy", "is", null)
    .orderBy("task.sequence")
    .orderBy("task.name")
    .orderBy("task.id")
    .limit(page.limit)
    .offset(page.offset);
  if (page.workflowId !== undefined) query = query.where("task.workflowId", "=", page.workflowId);
  return (await db.all(query)).map(taskOf);
}

/** The first ids of each of these groups, in order. */
export async function listGroupIds(
  db: Db,
  ask: { workflowId: WorkflowId; groups: readonly string[]; most: number },
): Promise<ReadonlyMap<string, readonly TaskId[]>> {
  const ids = new Map<string, TaskId[]>(ask.groups.map((group) => [group, []]));
  if (ids.size === 0) return ids;
  const placed = db.q
    .selectFrom("task")
    .select((of) => [
      "id",
      "parallelGroup",
      of.fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy("parallelGroup").orderBy("sequence").orderBy("name"))
        .as("place"),
    ])
    .where("workflowId", "=", ask.workflowId)
    .where("parallelGroup", "in", [...ids.keys()]);
  const rows = await db.all(
    db.q
      .selectFrom(placed.as("placed"))
      .select(["id", "parallelGroup"])
      .where("place", "<=", ask.most)
      .orderBy("place"),
  );
  for (const row of rows) ids.get(row.parallelGroup ?? "")?.push(row.id);
  return ids;
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

/** Whether a workflow has tasks, and none that is unfinished. */
export async function isEverythingFinished(db: Db, workflowId: WorkflowId): Promise<boolean> {
  const any = db.q.selectFrom("task").select("id").where("workflowId", "=", workflowId).limit(1);
  if ((await db.first(any)) === undefined) return false;
  return (await db.first(any.where("status", "in", unfinished))) === undefined;
}

const unfinished = lifecycle.filter((status) => !finished.includes(status));
