import { type DeveloperId, isIdOf } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { cutOf, joinCuts } from "./cut-queries.ts";
import type { Cut, TeamWork } from "./team-model.ts";

export interface WorkFilter {
  readonly statuses: readonly Lifecycle[];
  /** Last changed at this moment or later. */
  readonly since?: number | undefined;
  /** Last changed before this moment. */
  readonly before?: number | undefined;
  readonly developerId?: DeveloperId | undefined;
  readonly limit: number;
}

/**
 * Tasks of every family, last changed first. Each status is read from the end of its own stretch of an index, so that
 * it takes as long as what is shown, however much there is.
 */
export async function listTeamTasks(db: Db, filter: WorkFilter): Promise<Cut<TeamWork>> {
  const cuts: Cut<TeamWork>[] = [];
  for (const status of filter.statuses) {
    const matching = tasksIn(db, status, filter);
    const rows = await db.all(
      matching
        .leftJoin("intent", "intent.subjectId", "task.id")
        .select(["task.id", "task.name as title", "task.status", "task.developerId", "task.workflowId"])
        .select(["task.takenBy", "task.createdAt", "task.updatedAt"])
        .select((of) => of.fn<string | null>("substr", ["task.outcome", of.lit(1), of.lit(mostText)]).as("result"))
        .select(declared)
        .orderBy("task.updatedAt", "desc")
        .orderBy("task.id", "desc")
        .limit(filter.limit),
    );
    const items = rows.map((row) => workOf({ ...row, kind: "task", sessionId: row.takenBy ?? row.sessionId }));
    cuts.push(await cutOf(db, items, filter.limit, () => matching.select("task.id")));
  }
  return joinCuts(cuts, (work) => work.updatedAt, filter.limit);
}

function tasksIn(db: Db, status: Lifecycle, { since, before, developerId }: WorkFilter) {
  let query = db.q.selectFrom("task").where("task.status", "=", status);
  if (since !== undefined) query = query.where("task.updatedAt", ">=", since);
  if (before !== undefined) query = query.where("task.updatedAt", "<", before);
  if (developerId !== undefined) query = query.where("task.developerId", "=", developerId);
  return query;
}

/** Workflows of every kind, in the same way. */
export async function listTeamWorkstreams(db: Db, filter: WorkFilter): Promise<Cut<TeamWork>> {
  const cuts: Cut<TeamWork>[] = [];
  for (const status of filter.statuses) {
    const matching = workstreamsIn(db, status, filter);
    const rows = await db.all(
      matching
        .leftJoin("intent", "intent.subjectId", "workflow.id")
        .select(["workflow.id", "workflow.name as title", "workflow.status", "workflow.developerId", "workflow.kind"])
        .select(["workflow.createdAt", "workflow.updatedAt", "workflow.repositoryPath"])
        .select((of) =>
          of.fn<string | null>("substr", ["workflow.statusReason", of.lit(1), of.lit(mostText)]).as("result"),
        )
        .select(declared)
        .orderBy("workflow.updatedAt", "desc")
        .orderBy("workflow.id", "desc")
        .limit(filter.limit),
    );
    const items = rows.map((row) => workOf({ ...row, workflowId: null, repo: row.repo ?? row.repositoryPath }));
    cuts.push(await cutOf(db, items, filter.limit, () => matching.select("workflow.id")));
  }
  return joinCuts(cuts, (work) => work.updatedAt, filter.limit);
}

function workstreamsIn(db: Db, status: Lifecycle, { since, before, developerId }: WorkFilter) {
  let query = db.q.selectFrom("workflow").where("workflow.status", "=", status);
  if (since !== undefined) query = query.where("workflow.updatedAt", ">=", since);
  if (before !== undefined) query = query.where("workflow.updatedAt", "<", before);
  if (developerId !== undefined) query = query.where("workflow.developerId", "=", developerId);
  return query;
}

/** How each of these is right now; what is unknown is left out. */
export async function readStatuses(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Lifecycle>> {
  const tasks = ids.filter(isIdOf("task"));
  const workstreams = ids.filter(isIdOf("workflow"));
  const rows = [
    ...(tasks.length === 0
      ? []
      : await db.all(db.q.selectFrom("task").select(["id", "status"]).where("id", "in", tasks))),
    ...(workstreams.length === 0
      ? []
      : await db.all(db.q.selectFrom("workflow").select(["id", "status"]).where("id", "in", workstreams))),
  ];
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** Nobody reads more of a text in a list. */
const mostText = 500;

const declared = [
  "intent.sessionId",
  "intent.scope",
  "intent.action",
  "intent.component",
  "intent.repo",
  "intent.branch",
  "intent.priority",
  "intent.taskType",
  "intent.isContainer",
] as const;

type Row = Omit<TeamWork, "isContainer"> & { readonly isContainer: number | null };

const workOf = (row: Row): TeamWork => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  status: row.status,
  developerId: row.developerId,
  sessionId: row.sessionId,
  workflowId: row.workflowId,
  scope: row.scope,
  action: row.action,
  component: row.component,
  repo: row.repo,
  branch: row.branch,
  priority: row.priority,
  taskType: row.taskType,
  isContainer: row.isContainer === 1,
  result: row.result,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
