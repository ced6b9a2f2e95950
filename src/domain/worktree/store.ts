import type { DeveloperId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { WorktreeRow } from "../../storage/schema.ts";
import type { Worktree, WorktreeStatus } from "./model.ts";

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
): Promise<Worktree[]> {
  let query = db.q
    .selectFrom("worktree")
    .selectAll()
    .where("workflowId", "=", workflowId)
    .orderBy("createdAt")
    .orderBy("id");
  if (statuses !== undefined) query = query.where("status", "in", statuses);
  return (await db.all(query)).map(worktreeOf);
}

export async function insertWorktree(db: Db, worktree: Worktree): Promise<void> {
  await db.run(db.q.insertInto("worktree").values(worktree));
}

export async function saveWorktree(db: Db, read: Worktree, changes: Partial<Worktree>): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("worktree")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

const worktreeOf = (row: WorktreeRow): Worktree => ({
  ...row,
  id: row.id as WorktreeId,
  workflowId: row.workflowId as WorkflowId,
  developerId: row.developerId as DeveloperId,
  status: row.status as WorktreeStatus,
});
