import type { LedgerEntry, Stream } from "../../contract/event.ts";
import type { Db } from "../../storage/db.ts";
import type { LedgerRow } from "../../storage/schema.ts";
import type { PendingEntry } from "../../storage/store.ts";
import { chainEntries, genesisHash, type Head } from "./chain.ts";

const headKey = "ledgerHead";

/**
 * Appends entries inside the writing transaction. SQLite has one writer, so they get their places at once. PostgreSQL
 * writers must not queue up behind each other for the hash before theirs: their entries wait unsealed.
 */
export async function appendEntries(db: Db, pending: readonly PendingEntry[]): Promise<readonly LedgerEntry[]> {
  if (pending.length === 0) return [];
  if (db.dialect === "sqlite") return insertChained(db, pending);
  for (const entry of pending) {
    await db.sql('insert into "unsealed" ("entry") values ($1)', [JSON.stringify(entry)]);
  }
  return [];
}

const sealLock = 7_262_002;
const sealBatch = 500;

/**
 * PostgreSQL: moves waiting entries into the ledger in the order of their transactions. Only those below the oldest
 * running transaction are taken, so nothing can still appear before what is sealed. One node at a time does it.
 */
export async function sealEntries(db: Db): Promise<{ sealed: readonly LedgerEntry[]; areMoreWaiting: boolean }> {
  const [lock] = await db.sql<{ held: boolean }>("select pg_try_advisory_xact_lock($1) as held", [sealLock]);
  if (!lock?.held) return { sealed: [], areMoreWaiting: true };
  const waiting = await db.sql<{ id: number; entry: string; isReady: boolean }>(
    `select "id", "entry", "xid" < pg_snapshot_xmin(pg_current_snapshot()) as "isReady"
     from "unsealed" order by "xid", "id" limit $1`,
    [sealBatch],
  );
  const ready = waiting.filter((row) => row.isReady);
  if (ready.length === 0) return { sealed: [], areMoreWaiting: waiting.length > 0 };
  const sealed = await insertChained(
    db,
    ready.map((row) => JSON.parse(row.entry) as PendingEntry),
  );
  await db.run(
    db.q.deleteFrom("unsealed").where(
      "id",
      "in",
      ready.map((row) => row.id),
    ),
  );
  return { sealed, areMoreWaiting: waiting.length === sealBatch || waiting.length > ready.length };
}

async function insertChained(db: Db, pending: readonly PendingEntry[]): Promise<readonly LedgerEntry[]> {
  const entries = chainEntries(await readHead(db), pending);
  const last = entries.at(-1);
  for (const entry of entries) await db.run(db.q.insertInto("ledger").values(toRow(entry)));
  if (last) {
    const value = JSON.stringify({ seq: last.seq, hash: last.hash });
    await db.run(
      db.q
        .insertInto("meta")
        .values({ key: headKey, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value })),
    );
  }
  return entries;
}

/** The newest place in the ledger, kept apart from it so that a cut-off tail is noticed. */
export async function readHead(db: Db): Promise<Head> {
  const row = await db.first(db.q.selectFrom("meta").select("value").where("key", "=", headKey));
  return row ? (JSON.parse(row.value) as Head) : { seq: 0, hash: genesisHash };
}

export interface EntryFilter {
  readonly after: number;
  readonly limit: number;
  readonly stream?: Stream;
  /** A ledger kind or the name it is announced under. */
  readonly kind?: string;
  readonly subject?: string;
}

export async function listEntries(db: Db, filter: EntryFilter): Promise<LedgerEntry[]> {
  let query = db.q.selectFrom("ledger").selectAll().where("seq", ">", filter.after).orderBy("seq").limit(filter.limit);
  const { stream, kind, subject } = filter;
  if (stream !== undefined) query = query.where("stream", "=", stream);
  if (kind !== undefined) query = query.where((or) => or.or([or("kind", "=", kind), or("announced", "=", kind)]));
  if (subject !== undefined) query = query.where("subject", "=", subject);
  return (await db.all(query)).map(fromRow);
}

const toRow = (entry: LedgerEntry): LedgerRow => ({
  ...entry,
  channels: JSON.stringify(entry.channels),
  data: JSON.stringify(entry.data),
});

const fromRow = (row: LedgerRow): LedgerEntry => ({
  ...row,
  stream: row.stream as Stream,
  channels: JSON.parse(row.channels) as string[],
  data: JSON.parse(row.data) as Record<string, unknown>,
});
