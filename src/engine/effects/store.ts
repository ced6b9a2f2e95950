import type { EffectAsk, EffectFailure } from "../../domain/effect.ts";
import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { EffectRow } from "../../storage/schema.ts";

/** A piece of outside work with its place in the queue. */
export interface Effect extends Omit<EffectRow, "payload" | "result" | "error"> {
  readonly payload: unknown;
}

interface EffectOrigin {
  readonly now: number;
  readonly place: string;
  /** Whose call asked for it; what comes of it is recorded under the same names. */
  readonly developerId: string | null;
  readonly callId: string | null;
  newId(): string;
}

/** In the transaction of the operation that asks. What was asked for before, under the same key, stays as it is. */
export async function insertEffects(db: Db, asks: readonly EffectAsk[], origin: EffectOrigin): Promise<void> {
  for (const ask of asks) {
    const row: EffectRow = {
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
        .insertInto("effect")
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
}

/** Oldest first. */
export async function listDueEffects(db: Db, due: DueFilter): Promise<Effect[]> {
  const rows = await db.all(
    db.q
      .selectFrom("effect")
      .selectAll()
      .where("place", "=", due.place)
      .where("status", "=", "pending")
      .where("nextAt", "<=", due.now)
      .where("kind", "in", due.kinds)
      .orderBy("nextAt")
      .orderBy("id")
      .limit(due.limit),
  );
  return rows.map(effectOf);
}

export async function getEffect(db: Db, id: string): Promise<Effect> {
  const row = await db.first(db.q.selectFrom("effect").selectAll().where("id", "=", id));
  if (!row) throw new Error(`effect ${id} is gone`);
  return effectOf(row);
}

export interface EffectChange {
  readonly status: EffectRow["status"];
  readonly attempts?: number;
  readonly nextAt?: number;
  readonly result?: unknown;
  readonly error?: EffectFailure;
  readonly updatedAt: number;
}

export async function saveEffect(db: Db, read: Effect, change: EffectChange): Promise<void> {
  const { result, error, ...plain } = change;
  await saveVersioned(
    db,
    db.q
      .updateTable("effect")
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
      .updateTable("effect")
      .set((of) => ({ status: "pending", nextAt: now, updatedAt: now, version: of("version", "+", 1) }))
      .where("place", "=", place)
      .where("status", "=", "running"),
  );
}

export async function hasUnfinished(db: Db, subjects: readonly string[]): Promise<boolean> {
  const row = await db.first(
    db.q
      .selectFrom("effect")
      .select("id")
      .where("subject", "in", subjects)
      .where("status", "in", ["pending", "running"])
      .limit(1),
  );
  return row !== undefined;
}

/** What has ended is kept for a while, for whoever wants to know what happened. */
export async function deleteOldEffects(db: Db, before: number): Promise<void> {
  await db.run(
    db.q.deleteFrom("effect").where("status", "in", ["done", "failed", "undone"]).where("updatedAt", "<", before),
  );
}

const effectOf = ({ payload, result: _result, error: _error, ...row }: EffectRow): Effect => ({
  ...row,
  payload: JSON.parse(payload) as unknown,
});
