import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { endedStatuses, type Lifecycle } from "../lifecycle.ts";
import { recentMs, type WorkDoc } from "./work-doc.ts";

/** Ids for one statement: databases limit how many values they take at once. */
const idsAtOnce = 400;

/** Comparison reads no more of a text than this. */
const mostText = 500;

/** Tasks and workstreams among these; containers are not compared, their tasks are. */
export async function readDocs(db: Db, ids: readonly string[]): Promise<WorkDoc[]> {
  const docs: WorkDoc[] = [];
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const some = ids.slice(at, at + idsAtOnce);
    const tasks = await db.all(taskRows(db).where("task.id", "in", some));
    const streams = await db.all(streamRows(db).where("workflow.id", "in", some));
    docs.push(...tasks.map(taskDoc), ...streams.map(streamDoc));
  }
  return docs;
}

interface DocPage {
  readonly after: string;
  readonly now: number;
  readonly limit: number;
}

/** A page of all tasks that are compared, by id. */
export async function listTaskDocs(db: Db, { after, now, limit }: DocPage): Promise<WorkDoc[]> {
  const rows = await db.all(
    taskRows(db)
      .where("task.id", ">", after)
      .where((or) => or.or([or("task.status", "not in", endedStatuses), or("task.updatedAt", ">=", now - recentMs)]))
      .orderBy("task.id")
      .limit(limit),
  );
  return rows.map(taskDoc);
}

/** A page of all workstreams that are compared, by id. */
export async function listStreamDocs(db: Db, { after, now, limit }: DocPage): Promise<WorkDoc[]> {
  const rows = await db.all(
    streamRows(db)
      .where("workflow.id", ">", after)
      .where((or) =>
        or.or([or("workflow.status", "not in", endedStatuses), or("workflow.updatedAt", ">=", now - recentMs)]),
      )
      .orderBy("workflow.id")
      .limit(limit),
  );
  return rows.map(streamDoc);
}

/** What was saved at this moment or later, with its version. */
export async function listSavedSince(db: Db, since: number): Promise<{ id: string; version: number }[]> {
  const tasks = await db.all(db.q.selectFrom("task").select(["id", "version"]).where("updatedAt", ">=", since));
  const streams = await db.all(
    db.q
      .selectFrom("workflow")
      .select(["id", "version"])
      .where("kind", "=", "workstream")
      .where("endsWithTasks", "=", 0)
      .where("status", "in", ["planned", "preparing", "active", "paused", "blocked", ...endedStatuses])
      .where("updatedAt", ">=", since),
  );
  return [...tasks, ...streams];
}

const taskRows = (db: Db) =>
  db.q
    .selectFrom("task")
    .leftJoin("intent", "intent.subjectId", "task.id")
    .leftJoin("workflow", "workflow.id", "task.workflowId")
    .leftJoin("agent", "agent.id", "task.claimedBy")
    .select(["task.id", "task.name", "task.status", "task.updatedAt", "task.endedAt", "task.files", "task.version"])
    .select(["task.workflowId", "task.claimedBy", "task.developerId", "agent.developerId as holderId"])
    .select((of) => [
      of.fn<string>("substr", ["task.description", of.lit(1), of.lit(mostText)]).as("description"),
      of.fn<string | null>("substr", ["task.outcome", of.lit(1), of.lit(mostText)]).as("result"),
    ])
    .select(["workflow.repositoryPath", "intent.repo", "intent.scope", "intent.action", "intent.component"])
    .select(["intent.sessionId", "intent.taskType"]);

const streamRows = (db: Db) =>
  db.q
    .selectFrom("workflow")
    .leftJoin("intent", "intent.subjectId", "workflow.id")
    .where("workflow.kind", "=", "workstream")
    .where("workflow.endsWithTasks", "=", 0)
    .select(["workflow.id", "workflow.name", "workflow.status", "workflow.updatedAt", "workflow.version"])
    .select(["workflow.developerId", "intent.repo", "intent.scope", "intent.action", "intent.component"])
    .select((of) => [
      of.fn<string>("substr", ["workflow.sourceContent", of.lit(1), of.lit(mostText)]).as("description"),
      of.fn<string | null>("substr", ["workflow.statusReason", of.lit(1), of.lit(mostText)]).as("result"),
    ])
    .select("intent.sessionId");

type Row<Query extends { execute(): Promise<unknown[]> }> = Awaited<ReturnType<Query["execute"]>>[number];

/** Held work is its holder's; the agent that holds it is the session it is done in. */
const taskDoc = (row: Row<ReturnType<typeof taskRows>>): WorkDoc => ({
  id: row.id,
  kind: "task",
  title: row.name,
  scope: row.scope,
  description: row.description,
  result: row.result,
  action: row.action,
  component: row.component,
  repo: row.repo ?? row.repositoryPath,
  files: JSON.parse(row.files) as string[],
  developerId: (row.holderId ?? row.developerId) as DeveloperId,
  sessionId: row.claimedBy ?? row.sessionId,
  at: row.endedAt ?? row.updatedAt,
  status: row.status,
  lifecycle: row.status as Lifecycle,
  taskType: row.taskType,
  workflowId: row.workflowId,
  version: row.version,
});

const streamDoc = (row: Row<ReturnType<typeof streamRows>>): WorkDoc => ({
  id: row.id,
  kind: "workstream",
  title: row.name,
  scope: row.scope,
  description: row.description,
  result: row.result,
  action: row.action,
  component: row.component,
  repo: row.repo,
  files: [],
  developerId: row.developerId as DeveloperId,
  sessionId: row.sessionId,
  at: row.updatedAt,
  status: row.status,
  lifecycle: row.status as Lifecycle,
  taskType: null,
  workflowId: null,
  version: row.version,
});
