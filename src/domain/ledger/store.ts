import type { LedgerEntry } from "../../contract/event.ts";
import { bindable, type Db } from "../../storage/db.ts";
import { saveMeta } from "../../storage/meta.ts";
import { rebuildIndexes } from "../../storage/row-sums.ts";
import type { LedgerRow } from "../../storage/schema.ts";
import type { PendingEntry } from "../../storage/store.ts";
import { chainRows, emptyHead, type Head, headKey } from "./chain.ts";
import { type Pardon, pardonKey } from "./pardon.ts";
import { readHead } from "./queries.ts";

/** What cannot be stored must fail in its own operation, not later where it would hold up all others. */
export function checkEntries(pending: readonly PendingEntry[]): void {
  for (const entry of pending) for (const value of Object.values(toRow(entry))) bindable(value);
}

/**
 * Appends entries inside the writing transaction. SQLite has one writer, so they get their places at once. PostgreSQL
 * writers must not queue up behind each other for the hash before theirs: their entries wait unsealed.
 */
export async function appendEntries(db: Db, pending: readonly PendingEntry[]): Promise<readonly LedgerEntry[]> {
  if (pending.length === 0) return [];
  if (db.dialect === "postgres") {
    await insertUnsealed(db, pending);
    return [];
  }
  const rows = chainRows(await readHead(db), pending.map(toRow));
  for (const row of rows) {
    await db.sql(
      insertRow,
      rowColumns.map((column) => row[column]),
    );
  }
  await saveHead(db, rows);
  return pending.map((entry, place) => ({ ...entry, ...placeOf(rows[place]) }));
}

const rowColumns = [
  "seq",
  "at",
  "stream",
  "kind",
  "announced",
  "subject",
  "channels",
  "data",
  "developerId",
  "callId",
  "hash",
] as const satisfies readonly (keyof LedgerRow)[];

/** Every change passes here, so the text is fixed instead of built each time. */
const insertRow = `insert into "ledger" (${rowColumns.map((column) => `"${column}"`).join(", ")})
  values (${rowColumns.map(() => "?").join(", ")})`;

async function insertUnsealed(db: Db, pending: readonly PendingEntry[]): Promise<void> {
  await db.sql(
    `insert into "unsealed" ("entry") select "value" from json_array_elements_text($1::json) with ordinality as "list" ("value", "place")
     order by "place"`,
    [JSON.stringify(pending.map((entry) => JSON.stringify(entry)))],
  );
}

const sealLock = 7_262_002;

const sealBatch = 500;

/**
 * PostgreSQL: moves waiting entries into the ledger in the order of their transactions. Only those below the oldest
 * running transaction are taken, so nothing can still appear before what is sealed. One node at a time does it.
 */
export async function sealEntries(db: Db): Promise<{ sealed: readonly LedgerEntry[]; areMoreWaiting: boolean }> {
  const [lock] = await db.sql<{ held: boolean }>(
    "select pg_try_advisory_xact_lock($1::int, hashtext(current_schema())) as held",
    [sealLock],
  );
  if (!lock?.held) return { sealed: [], areMoreWaiting: true };
  const ready = await db.sql<{ entry: string }>(
    `with "ready" as (
       delete from "unsealed" where "id" in (
         select "id" from "unsealed" where "xid" < pg_snapshot_xmin(pg_current_snapshot())
         order by "xid", "id" limit $1)
       returning "xid", "id", "entry")
     select "entry" from "ready" order by "xid", "id"`,
    [sealBatch],
  );
  const sealed = ready.length === 0 ? [] : await chainReady(db, ready);
  return { sealed, areMoreWaiting: (await db.sql('select 1 from "unsealed" limit 1')).length > 0 };
}

async function chainReady(db: Db, ready: readonly { readonly entry: string }[]): Promise<LedgerEntry[]> {
  const pending = ready.map((row) => JSON.parse(row.entry) as PendingEntry);
  const rows = chainRows(await readHead(db), pending.map(toRow));
  await db.sql('insert into "ledger" select * from json_populate_recordset(null::"ledger", $1::json)', [
    JSON.stringify(rows),
  ]);
  await saveHead(db, rows);
  return pending.map((entry, place) => ({ ...entry, ...placeOf(rows[place]) }));
}

/**
 * PostgreSQL: entries that came with a dump from another server bear transaction numbers of that server, which may
 * never pass here. They get a number of ours.
 */
export async function adoptEntries(db: Db): Promise<void> {
  await db.sql('update "unsealed" set "xid" = pg_current_xact_id() where "xid" > pg_current_xact_id()');
}

async function saveHead(db: Db, rows: readonly LedgerRow[]): Promise<void> {
  await saveMeta(db, headKey, JSON.stringify(placeOf(rows.at(-1))));
}

/** From now on the rows are right as they are. Answers whether the file let it be done. */
export const trustRows = (db: Db): Promise<boolean> => rebuildIndexes(db);

export const savePardon = (db: Db, pardon: Pardon): Promise<void> => saveMeta(db, pardonKey, JSON.stringify(pardon));

/** Answers what the next entry follows. A note of the newest one that is lost, or behind, would let none be added. */
export async function continueChain(db: Db): Promise<Head> {
  const head = await readHead(db).catch(() => emptyHead);
  const [last] = await db.sql<Head>('select "seq", "hash" from "ledger" order by "seq" desc limit 1');
  if (last === undefined || Number(last.seq) <= head.seq) return head;
  const newest = { seq: Number(last.seq), hash: last.hash };
  await saveMeta(db, headKey, JSON.stringify(newest));
  return newest;
}

const placeOf = (row: LedgerRow | undefined): Head => (row ? { seq: row.seq, hash: row.hash } : emptyHead);

const toRow = (entry: PendingEntry): Omit<LedgerRow, "seq" | "hash"> => ({
  ...entry,
  channels: JSON.stringify(entry.channels),
  data: JSON.stringify(entry.data),
});
