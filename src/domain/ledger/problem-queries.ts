import { hasDataChecksums, readEveryRow } from "../../storage/data-checksums.ts";
import type { Db } from "../../storage/db.ts";
import { isDamage } from "../../storage/postgres-failure.ts";
import { brokenFile, listDamagedRows } from "../../storage/row-sums.ts";
import { listSchemaFaults } from "../../storage/schema-check.ts";
import { isDamaged } from "../../storage/sqlite-failure.ts";

/** What is wrong with a store besides its ledger. */
export async function listProblems(db: Db): Promise<string[]> {
  try {
    return [...(await listDamage(db)), ...(await listSchemaFaults(db))];
  } catch (error) {
    if (isUnreadable(error)) return [brokenFile(error.message)];
    throw error;
  }
}

export { isAboutFile } from "../../storage/row-sums.ts";

/** Whether a read met damage; of anything else that fails nothing is known. */
export const isUnreadable = (error: unknown): error is Error =>
  error instanceof Error && (isDamaged(error) || isDamage(error));

/** Whether a byte that the disk changed inside a row would be found. */
export async function areRowsChecked(db: Db): Promise<boolean> {
  return db.dialect === "sqlite" || hasDataChecksums(db);
}

/** PostgreSQL compares its pages with their checksums as it reads them, where it has any. */
async function listDamage(db: Db): Promise<string[]> {
  if (db.dialect === "postgres") {
    await readEveryRow(db);
    return [];
  }
  const orphans = await db.sql<{ table: string; parent: string }>("pragma foreign_key_check");
  return [
    ...(await listDamagedRows(db)),
    ...orphans.slice(0, 20).map((row) => `a row of ${row.table} names a row of ${row.parent} that is not there`),
  ];
}
