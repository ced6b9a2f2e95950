import type { DeveloperId, VaultId, WorktreeId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { VaultEntryRow } from "../../storage/schema.ts";
import type { VaultCounts, VaultEntry, VaultTrees } from "./vault-model.ts";

export async function getCopy(db: Db, id: VaultId): Promise<VaultEntry> {
  const row = await db.first(db.q.selectFrom("vaultEntry").selectAll().where("id", "=", id));
  if (!row) throw new Refusal("NOT_FOUND", "No stored copy has that id.", nextStep("listCopies"));
  return entryOf(row);
}

export interface CopyFilter {
  /** Everyone's if left out. */
  readonly developerId?: DeveloperId | undefined;
  readonly includesDropped: boolean;
  readonly limit: number;
}

/** Newest first. */
export async function listCopies(db: Db, filter: CopyFilter): Promise<VaultEntry[]> {
  let query = db.q.selectFrom("vaultEntry").selectAll();
  if (filter.developerId !== undefined) query = query.where("developerId", "=", filter.developerId);
  if (!filter.includesDropped) query = query.where("droppedAt", "is", null);
  const rows = await db.all(query.orderBy("createdAt", "desc").orderBy("id", "desc").limit(filter.limit));
  return rows.map(entryOf);
}

/** Copies ever made of one worktree. */
export async function countCopies(db: Db, worktreeId: WorktreeId): Promise<number> {
  const row = await db.first(
    db.q
      .selectFrom("vaultEntry")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("worktreeId", "=", worktreeId),
  );
  return Number(row?.count ?? 0);
}

export async function insertCopy(db: Db, entry: VaultEntry): Promise<void> {
  await db.run(
    db.q.insertInto("vaultEntry").values({
      ...entry,
      trees: JSON.stringify(entry.trees),
      counts: JSON.stringify(entry.counts),
      isMerged: Number(entry.isMerged),
    }),
  );
}

export async function saveCopy(
  db: Db,
  read: VaultEntry,
  changes: Partial<Pick<VaultEntry, "restoredAt" | "restoredTo" | "droppedAt" | "problem">>,
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("vaultEntry")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

const entryOf = (row: VaultEntryRow): VaultEntry => ({
  ...row,
  trees: JSON.parse(row.trees) as VaultTrees,
  counts: JSON.parse(row.counts) as VaultCounts,
  isMerged: row.isMerged === 1,
});
