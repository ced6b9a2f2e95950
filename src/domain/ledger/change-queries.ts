import type { Db } from "../../storage/db.ts";
import { ofStream } from "../../storage/ledger-part.ts";
import { prepare } from "../../storage/prepared.ts";

const changedAfter = prepare((q, after: number) =>
  q.selectFrom("ledger").select("subject").distinct().where(ofStream.work).where("seq", ">", after),
);

/**
 * The records that anything was recorded about after a place in the ledger, entries that still wait for theirs
 * included. Exact whatever the clocks of several servers say.
 */
export async function listChangedSubjects(db: Db, after: number): Promise<string[]> {
  const rows = await db.all(changedAfter(db.q, after));
  const before = db.recordedBefore.filter(({ stream }) => stream === "work");
  if (db.dialect === "sqlite") return [...new Set([...rows, ...before].map(({ subject }) => subject))];
  const waiting = await db.sql<{ subject: string }>(
    `select distinct "entry"::json ->> 'subject' as "subject" from "unsealed" where "entry"::json ->> 'stream' = 'work'`,
  );
  return [...new Set([...rows, ...waiting].map(({ subject }) => subject))];
}
