import type { WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { WorktreeRow } from "../../storage/schema.ts";
import type { WorkflowWorktree, Worktree, WorktreeFacts, WorktreeStatus } from "./model.ts";

export async function getWorktree(db: Db, id: WorktreeId): Promise<Worktree> {
  const row = await db.first(db.q.selectFrom("worktree").selectAll().where("id", "=", id));
  if (!row) throw new Refusal("WORKSPACE_NOT_FOUND", "No workspace has that id.");
  return worktreeOf(row);
}

/** Oldest first. */
export async function listWorktrees(
  db: Db,
  workflowId: WorkflowId,
  statuses: readonly WorktreeStatus[] | undefined,
): Promise<WorkflowWorktree[]> {
  let query = db.q
    .selectFrom("worktree")
    .selectAll()
    .where("workflowId", "=", workflowId)
    .orderBy("createdAt")
    .orderBy("id");
  if (statuses !== undefined) query = query.where("status", "in", statuses);
  return (await db.all(query)).map((row) => ({ ...worktreeOf(row), workflowId }));
}

/** The names of the branches that this workflow's worktrees were given. */
export async function listBranches(db: Db, workflowId: WorkflowId): Promise<string[]> {
  const rows = await db.all(db.q.selectFrom("worktree").select("branch").where("workflowId", "=", workflowId));
  return rows.map(({ branch }) => branch);
}

const worktreeOf = (row: WorktreeRow): Worktree => ({
  ...row,
  facts: row.facts === null ? null : (JSON.parse(row.facts) as WorktreeFacts),
});
