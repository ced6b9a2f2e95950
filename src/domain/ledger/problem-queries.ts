import type { Db } from "../../storage/db.ts";

/** What SQLite says about its own file. PostgreSQL checks its pages as it reads them, and every page of the ledger is read next. */
export async function listProblems(db: Db): Promise<string[]> {
  if (db.dialect === "postgres") return [];
  const rows = await db.sql<{ integrity_check: string }>("pragma integrity_check(20)");
  const orphans = await db.sql<{ table: string; parent: string }>("pragma foreign_key_check");
  return [
    ...rows.map((row) => row.integrity_check).filter((line) => line !== "ok"),
    ...orphans.slice(0, 20).map((row) => `a row of ${row.table} names a row of ${row.parent} that is not there`),
  ];
}
