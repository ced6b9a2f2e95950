import type { WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { isFinished, type Lifecycle } from "../lifecycle.ts";
import type { Task } from "./model.ts";

export interface StatusCount {
  readonly status: Lifecycle;
  readonly count: number;
  /** How many of them wait for others. */
  readonly waiting: number;
  readonly lowestSequence: number;
}

/** Answered from an index alone, so that it stays cheap for thousands of tasks. */
export async function countTasksByStatus(db: Db, workflowId: WorkflowId): Promise<StatusCount[]> {
  const rows = await db.all(byStatus(db.q, workflowId));
  return rows.map((row) => ({
    status: row.status,
    count: Number(row.count),
    waiting: Number(row.waiting ?? 0),
    lowestSequence: Number(row.lowestSequence),
  }));
}

const byStatus = prepare((q, workflowId: WorkflowId) =>
  q
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
  const groups = new Map<string, { group: string; count: number; finished: number }>();
  for (const { parallelGroup, status, count } of await db.all(byGroup(db.q, workflowId))) {
    const group = parallelGroup ?? "";
    const known = groups.get(group) ?? { group, count: 0, finished: 0 };
    known.count += Number(count);
    if (isFinished(status)) known.finished += Number(count);
    groups.set(group, known);
  }
  return [...groups.values()];
}

/** Counted by status too, as the index has them: cheaper than to ask of each task whether it is finished. */
const byGroup = prepare((q, workflowId: WorkflowId) =>
  q
    .selectFrom("task")
    .select((of) => ["parallelGroup", "status", of.fn.countAll<number>().as("count")])
    .where("workflowId", "=", workflowId)
    .where("parallelGroup", "is not", null)
    .groupBy(["parallelGroup", "status"])
    .orderBy("parallelGroup"),
);

export type WaitingTask = Pick<Task, "id" | "name">;

/** Tasks of a workflow that wait for others, first in sequence first. All of them are sorted, so they are kept small. */
export async function listWaitingTasks(db: Db, workflowId: WorkflowId, limit: number): Promise<WaitingTask[]> {
  const rows = await db.all(firstWaiting(db.q, workflowId, limit));
  return rows.map(({ id, name }) => ({ id: id, name }));
}

const firstWaiting = prepare((q, workflowId: WorkflowId, limit: number) =>
  q
    .selectFrom("task")
    .select(["id", "name"])
    .where("workflowId", "=", workflowId)
    .where("status", "=", "planned")
    .where("waitingOn", ">", 0)
    .orderBy("sequence")
    .orderBy("name")
    .limit(limit),
);

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
