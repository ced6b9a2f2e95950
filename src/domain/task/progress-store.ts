import type { WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { finished, type Lifecycle } from "../lifecycle.ts";
import type { Task } from "./model.ts";
import { taskOf } from "./store.ts";

export interface StatusCount {
  readonly status: Lifecycle;
  readonly count: number;
  /** How many of them wait for others. */
  readonly waiting: number;
  readonly lowestSequence: number;
}

/** Answered from an index alone, so that it stays cheap for thousands of tasks. */
export async function countTasksByStatus(db: Db, workflowId: WorkflowId): Promise<StatusCount[]> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .select((of) => [
        "status",
        of.fn.countAll<number>().as("count"),
        of.fn.sum<number>(of.case().when("waitingOn", ">", 0).then(1).else(0).end()).as("waiting"),
        of.fn.min("sequence").as("lowestSequence"),
      ])
      .where("workflowId", "=", workflowId)
      .groupBy("status"),
  );
  return rows.map((row) => ({
    status: row.status as Lifecycle,
    count: Number(row.count),
    waiting: Number(row.waiting ?? 0),
    lowestSequence: Number(row.lowestSequence),
  }));
}

/** The highest sequence there is, or the highest below another; 0 when there is none. */
export async function highestSequence(db: Db, workflowId: WorkflowId, below?: number): Promise<number> {
  let query = db.q
    .selectFrom("task")
    .select("sequence")
    .where("workflowId", "=", workflowId)
    .orderBy("sequence", "desc")
    .limit(1);
  if (below !== undefined) query = query.where("sequence", "<", below);
  return (await db.first(query))?.sequence ?? 0;
}

export interface GroupCount {
  readonly group: string;
  readonly count: number;
  readonly finished: number;
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

/** When the first of a workflow's tasks was begun. */
export async function firstStart(db: Db, workflowId: WorkflowId): Promise<number | null> {
  const row = await db.first(
    db.q
      .selectFrom("task")
      .select("startedAt")
      .where("workflowId", "=", workflowId)
      .where("startedAt", "is not", null)
      .orderBy("startedAt")
      .limit(1),
  );
  return row?.startedAt ?? null;
}
