import type { DeveloperId, WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { WorkflowRow } from "../../storage/schema.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Plan, Workflow } from "./model.ts";

export async function findWorkflow(db: Db, id: WorkflowId): Promise<Workflow | undefined> {
  const row = await db.first(db.q.selectFrom("workflow").selectAll().where("id", "=", id));
  return row && workflowOf(row);
}

export async function getWorkflow(db: Db, id: WorkflowId): Promise<Workflow> {
  const workflow = await findWorkflow(db, id);
  if (!workflow) throw new Refusal("WORKFLOW_NOT_FOUND", "No workflow has that id.");
  return workflow;
}

interface WorkflowFilter {
  /** Only what a mission family's tool began. */
  readonly hasBrief?: true | undefined;
  readonly repositoryPath?: string | undefined;
  readonly statuses?: readonly Lifecycle[] | undefined;
  /** Whether an issue of it waits for a person. */
  readonly isBlocked?: boolean | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Newest first, and how many there are in all. */
export async function listWorkflows(db: Db, filter: WorkflowFilter): Promise<{ workflows: Workflow[]; total: number }> {
  let query = db.q.selectFrom("workflow");
  if (filter.hasBrief) query = query.where("id", "in", db.q.selectFrom("brief").select("workflowId"));
  if (filter.repositoryPath !== undefined) query = query.where("repositoryPath", "=", filter.repositoryPath);
  if (filter.statuses !== undefined) query = query.where("status", "in", filter.statuses);
  if (filter.isBlocked !== undefined) query = query.where("id", filter.isBlocked ? "in" : "not in", blocked(db));
  const rows = await db.all(
    query.selectAll().orderBy("createdAt", "desc").orderBy("id", "desc").limit(filter.limit).offset(filter.offset),
  );
  const counted = await db.first(query.select((of) => of.fn.countAll<number>().as("count")));
  return { workflows: rows.map(workflowOf), total: Number(counted?.count ?? 0) };
}

const blocked = (db: Db) =>
  db.q
    .selectFrom("note")
    .select("workflowId")
    .where("workflowId", "is not", null)
    .where("needsHuman", "=", 1)
    .where("resolvedAt", "is", null)
    .$narrowType<{ workflowId: string }>();

export const workflowOf = (row: WorkflowRow): Workflow => ({
  ...row,
  id: row.id as WorkflowId,
  developerId: row.developerId as DeveloperId,
  kind: row.kind as Workflow["kind"],
  status: row.status as Lifecycle,
  sourceType: row.sourceType as Workflow["sourceType"],
  makesWorktrees: row.makesWorktrees === 1,
  endsWithTasks: row.endsWithTasks === 1,
  plan: row.plan === null ? null : (JSON.parse(row.plan) as Plan),
});
