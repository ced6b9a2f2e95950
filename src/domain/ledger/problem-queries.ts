import type { Db } from "../../storage/db.ts";
import { listSchemaFaults } from "../../storage/schema-check.ts";

/** What is wrong with a store besides its ledger. */
export async function listProblems(db: Db): Promise<string[]> {
  return [...(await listDamage(db)), ...(await listSchemaFaults(db))];
}

/** What SQLite says about its own file. PostgreSQL checks its pages as it reads them, and every page of the ledger is read next. */
async function listDamage(db: Db): Promise<string[]> {
  if (db.dialect === "postgres") return [];
  const rows = await db.sql<{ integrity_check: string }>("pragma integrity_check(20)");
  const orphans = await db.sql<{ table: string; parent: string }>("pragma foreign_key_check");
  return [
    ...rows.map((row) => row.integrity_check).filter((line) => line !== "ok"),
    ...orphans.slice(0, 20).map((row) => `a row of ${row.table} names a row of ${row.parent} that is not there`),
  ];
}
