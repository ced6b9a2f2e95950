import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { Worktree, WorktreeFacts } from "./model.ts";

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

const factsText = (facts: WorktreeFacts | null): string | null => (facts === null ? null : JSON.stringify(facts));
