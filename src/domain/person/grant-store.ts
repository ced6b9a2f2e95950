import type { AgentType } from "../../contract/caller.ts";
import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { readMeta, saveMeta } from "../../storage/meta.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import type { DeviceGrantRow } from "../../storage/schema-team.ts";
import { clockSlackMs } from "../clock.ts";
import { type Grant, grantLivesMs } from "./grant-model.ts";

/** A code is compared by its hash, which an index finds: how long that takes tells nothing about the code. */
export async function findGrantByCode(db: Db, codeHash: string): Promise<Grant | undefined> {
  const row = await db.first(db.q.selectFrom("deviceGrant").selectAll().where("codeHash", "=", codeHash));
  return row && grantOf(row);
}

export async function findGrantByUserCode(db: Db, userCodeHash: string): Promise<Grant | undefined> {
  const row = await db.first(db.q.selectFrom("deviceGrant").selectAll().where("userCodeHash", "=", userCodeHash));
  return row && grantOf(row);
}

/** How many wait, for one who wants to add another. */
export async function countPending(db: Db, now: number): Promise<number> {
  await guard(db, "deviceGrant");
  const row = await db.first(
    db.q
      .selectFrom("deviceGrant")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("status", "=", "pending")
      .where("expiresAt", ">", now),
  );
  return Number(row?.count ?? 0);
}

/** Those that wait, and those this developer has decided about; newest first. */
export async function listGrants(db: Db, ask: { developerId: DeveloperId; now: number }): Promise<Grant[]> {
  const rows = await db.all(
    db.q
      .selectFrom("deviceGrant")
      .selectAll()
      .where((of) =>
        of.or([
          of("developerId", "=", ask.developerId),
          of.and([of("status", "=", "pending"), of("expiresAt", ">", ask.now)]),
        ]),
      )
      .orderBy("createdAt", "desc")
      .orderBy("id")
      .limit(200),
  );
  return rows.map(grantOf);
}

export async function insertGrant(db: Db, grant: Grant): Promise<void> {
  await db.run(db.q.insertInto("deviceGrant").values({ ...grant, agents: JSON.stringify(grant.agents) }));
}

export async function saveGrant(
  db: Db,
  read: Grant,
  changes: Partial<Pick<Grant, "status" | "developerId" | "lastPollAt">>,
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("deviceGrant")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

/** The ledger remembers them; the table only needs those that may still be asked about. */
export async function deleteOldGrants(db: Db, before: number): Promise<void> {
  await db.run(db.q.deleteFrom("deviceGrant").where("expiresAt", "<", before));
}

const guessKey = (developerId: DeveloperId): string => `deviceGuesses:${developerId}`;

export async function findGuesses(
  db: Db,
  developerId: DeveloperId,
): Promise<{ since: number; count: number } | undefined> {
  const value = await readMeta(db, guessKey(developerId));
  return value === undefined ? undefined : (JSON.parse(value) as { since: number; count: number });
}

export async function saveGuesses(
  db: Db,
  developerId: DeveloperId,
  guesses: { since: number; count: number },
): Promise<void> {
  await saveMeta(db, guessKey(developerId), JSON.stringify(guesses));
}

const grantOf = (row: DeviceGrantRow): Grant => ({
  ...row,
  agents: JSON.parse(row.agents) as AgentType[],
});

/** Requests from a clock that was ahead end when a new one would. */
export async function shortenGrants(db: Db, now: number): Promise<void> {
  await db.run(
    db.q
      .updateTable("deviceGrant")
      .set({ expiresAt: now + grantLivesMs })
      .where("expiresAt", ">", now + grantLivesMs + clockSlackMs),
  );
}
