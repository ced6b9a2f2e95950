import type { LedgerEntry, Stream } from "../../contract/event.ts";
import type { Db } from "../../storage/db.ts";
import { isNotUsage, ofStream } from "../../storage/ledger-part.ts";
import { readMeta } from "../../storage/meta.ts";
import type { LedgerRow } from "../../storage/schema.ts";
import { emptyHead, type Head, headKey } from "./chain.ts";
import { type Pardon, pardonKey, parsePardon } from "./pardon.ts";

/** The newest place in the ledger, kept apart from it so that a cut-off tail is noticed. */
export async function readHead(db: Db): Promise<Head> {
  const value = await readMeta(db, headKey);
  return value === undefined ? emptyHead : (JSON.parse(value) as Head);
}

export async function readPardon(db: Db): Promise<Pardon> {
  return parsePardon((await readMeta(db, pardonKey)) ?? "");
}

export interface EntryFilter {
  readonly after: number;
  /** From the end backwards, from just before this place if it is given. */
  readonly newestFirst?: { readonly before: number | undefined } | undefined;
  readonly limit: number;
  readonly stream?: Stream;
  /** A ledger kind or the name it is announced under. */
  readonly kind?: string;
  readonly subject?: string;
  /** Only of this noun, `task`. */
  readonly about?: string;
  /** Everything but this ledger kind: what comes every few seconds hides the rest. */
  readonly without?: string;
}

export async function listEntries(db: Db, filter: EntryFilter): Promise<LedgerEntry[]> {
  const { stream, kind, subject, about, without, newestFirst } = filter;
  const order = newestFirst ? "desc" : "asc";
  let query = db.q.selectFrom("ledger").selectAll().where("seq", ">", filter.after);
  query = query.orderBy("seq", order).limit(filter.limit);
  if (newestFirst?.before !== undefined) query = query.where("seq", "<", newestFirst.before);
  if (stream !== undefined) query = query.where(ofStream[stream]);
  if (kind !== undefined) query = query.where((or) => or.or([or("kind", "=", kind), or("announced", "=", kind)]));
  if (subject !== undefined) query = query.where("subject", "=", subject);
  if (subject !== undefined && stream === undefined) query = query.where(isNotUsage);
  if (about !== undefined) query = query.where("kind", "like", `${about.replaceAll(/[^a-z]/gi, "_")}.%`);
  if (without !== undefined) query = query.where("kind", "!=", without);
  return (await db.all(query)).map(fromRow);
}

/** What happened after a place, of several kinds, oldest first. */
export async function listEntriesOfKinds(
  db: Db,
  { after, kinds, limit }: { readonly after: number; readonly kinds: readonly string[]; readonly limit: number },
): Promise<LedgerEntry[]> {
  const work = db.q.selectFrom("ledger").selectAll().where(ofStream.work);
  const query = work.where("seq", ">", after).where("kind", "in", kinds);
  return (await db.all(query.orderBy("seq").limit(limit))).map(fromRow);
}

/** What happened of one kind since a moment, newest first. */
export async function listEntriesSince(
  db: Db,
  { kind, since, limit }: { readonly kind: string; readonly since: number; readonly limit: number },
): Promise<LedgerEntry[]> {
  const query = db.q.selectFrom("ledger").selectAll().where("kind", "=", kind).where("at", ">=", since);
  return (await db.all(query.where(ofStream.work).orderBy("seq", "desc").limit(limit))).map(fromRow);
}

/** Whether an entry about this subject was committed, with its place in the ledger or still waiting for one. */
export async function hasEntry(db: Db, stream: Stream, subject: string): Promise<boolean> {
  const sealed = await listEntries(db, { after: 0, limit: 1, stream, subject });
  if (sealed.length > 0 || db.dialect === "sqlite") return sealed.length > 0;
  const waiting = await db.sql(
    `select 1 from "unsealed" where "entry"::json ->> 'stream' = $1 and "entry"::json ->> 'subject' = $2 limit 1`,
    [stream, subject],
  );
  return waiting.length > 0;
}

/** A page of the ledger exactly as it is stored, for those who check it. */
export async function listRows(db: Db, after: number, limit: number): Promise<LedgerRow[]> {
  return db.all(db.q.selectFrom("ledger").selectAll().where("seq", ">", after).orderBy("seq").limit(limit));
}

const fromRow = (row: LedgerRow): LedgerEntry => ({
  ...row,
  channels: JSON.parse(row.channels) as string[],
  data: JSON.parse(row.data) as Record<string, unknown>,
});
