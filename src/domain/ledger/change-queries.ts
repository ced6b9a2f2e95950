import type { Db } from "../../storage/db.ts";

/**
 * The records that anything was recorded about after a place in the ledger, entries that still wait for theirs
 * included. Exact whatever the clocks of several servers say; on SQLite the other operations of the same group commit
 * have not written theirs yet.
 */
export async function listChangedSubjects(db: Db, after: number): Promise<string[]> {
  const rows = await db.all(
    db.q.selectFrom("ledger").select("subject").distinct().where("stream", "=", "work").where("seq", ">", after),
  );
  if (db.dialect === "sqlite") return rows.map(({ subject }) => subject);
  const waiting = await db.sql<{ subject: string }>(
    `select distinct "entry"::json ->> 'subject' as "subject" from "unsealed" where "entry"::json ->> 'stream' = 'work'`,
  );
  return [...new Set([...rows, ...waiting].map(({ subject }) => subject))];
}
