import type { WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { IdSet } from "../../storage/id-set.ts";
import { prepare } from "../../storage/prepared.ts";
import type { WorkflowRow } from "../../storage/schema.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Plan, Workflow } from "./model.ts";

export async function findWorkflow(db: Db, id: WorkflowId): Promise<Workflow | undefined> {
  const row = await db.first(byId(db.q, id));
  return row && workflowOf(row);
}

const byId = prepare((q, id: WorkflowId) => q.selectFrom("workflow").selectAll().where("id", "=", id));

export async function getWorkflow(db: Db, id: WorkflowId): Promise<Workflow> {
  const workflow = await findWorkflow(db, id);
  if (!workflow) throw new Refusal("WORKFLOW_NOT_FOUND", "No workflow has that id.");
  return workflow;
}

export interface WorkflowFilter {
  /** Only what a mission family's tool began. */
  readonly hasBrief?: true | undefined;
  readonly repositoryPath?: string | undefined;
  readonly statuses?: readonly Lifecycle[] | undefined;
  /** Only these of them. */
  readonly among?: IdSet<WorkflowId> | undefined;
  /** All but these. */
  readonly except?: IdSet<WorkflowId> | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Newest first, and how many there are in all. */
export async function listWorkflows(db: Db, filter: WorkflowFilter): Promise<{ workflows: Workflow[]; total: number }> {
  let query = db.q.selectFrom("workflow");
  if (filter.hasBrief) query = query.where("id", "in", db.q.selectFrom("brief").select("workflowId"));
  if (filter.repositoryPath !== undefined) query = query.where("repositoryPath", "=", filter.repositoryPath);
  if (filter.statuses !== undefined) query = query.where("status", "in", filter.statuses);
  if (filter.among !== undefined) query = query.where("id", "in", filter.among);
  if (filter.except !== undefined) query = query.where("id", "not in", filter.except);
  const rows = await db.all(
    query.selectAll().orderBy("createdAt", "desc").orderBy("id", "desc").limit(filter.limit).offset(filter.offset),
  );
  const counted = await db.first(query.select((of) => of.fn.countAll<number>().as("count")));
  return { workflows: rows.map(workflowOf), total: Number(counted?.count ?? 0) };
}

/** Workflows whose tasks may be taken, as a part of other queries. */
export const workflowIdsUnderWay = (db: Db): IdSet<WorkflowId> =>
  db.q.selectFrom("workflow").select("id").where("status", "in", ["preparing", "active"]);

/** Where the work of each of these workflows lies. */
export async function listRepositoryPaths(
  db: Db,
  ids: readonly WorkflowId[],
): Promise<ReadonlyMap<WorkflowId, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(pathsOf(db.q, ids));
  return new Map(rows.map((row) => [row.id, row.repositoryPath]));
}

const pathsOf = prepare((q, ids: readonly WorkflowId[]) =>
  q.selectFrom("workflow").select(["id", "repositoryPath"]).where("id", "in", ids),
);

export const workflowOf = (row: WorkflowRow): Workflow => ({
  ...row,
  makesWorktrees: row.makesWorktrees === 1,
  endsWithTasks: row.endsWithTasks === 1,
  plan: row.plan === null ? null : (JSON.parse(row.plan) as Plan),
});
