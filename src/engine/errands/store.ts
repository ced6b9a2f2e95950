import { clockSlackMs } from "../../domain/clock.ts";
import type { ErrandAsk, ErrandFailure } from "../../domain/errand.ts";
import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { ErrandRow } from "../../storage/schema.ts";
import { longestPauseMs } from "./failure.ts";

/** A piece of outside work with its place in the queue. */
export interface Errand extends Omit<ErrandRow, "payload" | "result" | "error"> {
  readonly payload: unknown;
  /** Whether the attempt before took too long. */
  readonly wasLate: boolean;
}

interface ErrandOrigin {
  readonly now: number;
  readonly place: string;
  /** Whose call asked for it; what comes of it is recorded under the same names. */
  readonly developerId: string | null;
  readonly callId: string | null;
  newId(): string;
}

/** In the transaction of the operation that asks. What was asked for before, under the same key, stays as it is. */
export async function insertErrands(db: Db, asks: readonly ErrandAsk[], origin: ErrandOrigin): Promise<void> {
  for (const ask of asks) {
    const row: ErrandRow = {
      id: origin.newId(),
      kind: ask.do,
      key: ask.key,
      subject: ask.subject,
      place: ask.place ?? origin.place,
      payload: JSON.stringify(ask.payload),
      status: "pending",
      attempts: 0,
      nextAt: origin.now,
      result: null,
      error: null,
      developerId: origin.developerId,
      callId: origin.callId,
      createdAt: origin.now,
      updatedAt: origin.now,
      version: 1,
    };
    await db.run(
      db.q
        .insertInto("errand")
        .values(row)
        .onConflict((conflict) => conflict.columns(["kind", "key"]).doNothing()),
    );
  }
}

interface DueFilter {
  readonly place: string;
  readonly kinds: readonly string[];
  readonly now: number;
  readonly limit: number;
  /** Developers whose work has to wait. */
  readonly except?: readonly string[] | undefined;
}

/** Oldest first. */
export async function listDueErrands(db: Db, due: DueFilter): Promise<Errand[]> {
  const { except = [] } = due;
  const query = db.q
    .selectFrom("errand")
    .selectAll()
    .where("place", "=", due.place)
    .where("status", "=", "pending")
    .where("nextAt", "<=", due.now)
    .where("kind", "in", due.kinds)
    .orderBy("nextAt")
    .orderBy("id")
    .limit(due.limit);
  const rows = await db.all(
    except.length === 0
      ? query
      : query.where((of) => of.or([of("developerId", "is", null), of("developerId", "not in", except)])),
  );
  return rows.map(errandOf);
}

export async function getErrand(db: Db, id: string): Promise<Errand> {
  const row = await db.first(db.q.selectFrom("errand").selectAll().where("id", "=", id));
  if (!row) throw new Error(`errand ${id} is gone`);
  return errandOf(row);
}

export interface ErrandChange {
  readonly status: ErrandRow["status"];
  readonly attempts?: number;
  readonly nextAt?: number;
  readonly result?: unknown;
  readonly error?: ErrandFailure;
  readonly updatedAt: number;
}

export async function saveErrand(db: Db, read: Errand, change: ErrandChange): Promise<void> {
  const { result, error, ...plain } = change;
  await saveVersioned(
    db,
    db.q
      .updateTable("errand")
      .set({
        ...plain,
        ...(result === undefined ? {} : { result: JSON.stringify(result) }),
        ...(error === undefined ? {} : { error: JSON.stringify(error) }),
        version: read.version + 1,
      })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

/** What a server that ended without a word had in hand. One server owns a place, so nobody else can be at it. */
export async function returnInterrupted(db: Db, place: string, now: number): Promise<number> {
  return db.run(
    db.q
      .updateTable("errand")
      .set((of) => ({ status: "pending", nextAt: now, updatedAt: now, version: of("version", "+", 1) }))
      .where("place", "=", place)
      .where("status", "=", "running"),
  );
}

export async function hasUnfinished(db: Db, subjects: readonly string[]): Promise<boolean> {
  const row = await db.first(
    db.q
      .selectFrom("errand")
      .select("id")
      .where("subject", "in", subjects)
      .where("status", "in", ["pending", "running"])
      .limit(1),
  );
  return row !== undefined;
}

/** What has ended is kept for a while, for whoever wants to know what happened. */
export async function deleteOldErrands(db: Db, before: number): Promise<void> {
  await db.run(
    db.q.deleteFrom("errand").where("status", "in", ["done", "failed", "undone"]).where("updatedAt", "<", before),
  );
}

const errandOf = ({ payload, result: _result, error, ...row }: ErrandRow): Errand => ({
  ...row,
  payload: JSON.parse(payload) as unknown,
  wasLate: error !== null && (JSON.parse(error) as ErrandFailure).isLate === true,
});

/** Attempts that a clock ahead of time has put off are due no later than the longest pause from now. */
export async function bringForward(db: Db, now: number): Promise<void> {
  await db.run(
    db.q
      .updateTable("errand")
      .set((of) => ({ nextAt: now, version: of("version", "+", 1) }))
      .where("status", "=", "pending")
      .where("nextAt", ">", now + longestPauseMs + clockSlackMs),
  );
}
