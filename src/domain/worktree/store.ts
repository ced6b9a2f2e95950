import type { DeveloperId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { WorktreeRow } from "../../storage/schema.ts";
import type { Worktree, WorktreeFacts, WorktreeStatus } from "./model.ts";

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
  await db.run(db.q.insertInto("worktree").values({ ...worktree, facts: factsText(worktree.facts) }));
}

export async function saveWorktree(db: Db, read: Worktree, changes: Partial<Worktree>): Promise<void> {
  const { facts, ...plain } = changes;
  await saveVersioned(
    db,
    db.q
      .updateTable("worktree")
      .set({ ...plain, ...(facts === undefined ? {} : { facts: factsText(facts) }), version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

/** The names of the branches that this workflow's worktrees were given. */
export async function listBranches(db: Db, workflowId: WorkflowId): Promise<string[]> {
  const rows = await db.all(db.q.selectFrom("worktree").select("branch").where("workflowId", "=", workflowId));
  return rows.map(({ branch }) => branch);
}

const factsText = (facts: WorktreeFacts | null): string | null => (facts === null ? null : JSON.stringify(facts));

const worktreeOf = (row: WorktreeRow): Worktree => ({
  ...row,
  id: row.id as WorktreeId,
  workflowId: row.workflowId as WorkflowId,
  developerId: row.developerId as DeveloperId,
  status: row.status as WorktreeStatus,
  folder: row.folder as Worktree["folder"],
  facts: row.facts === null ? null : (JSON.parse(row.facts) as WorktreeFacts),
});
