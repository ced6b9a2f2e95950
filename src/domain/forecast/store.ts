import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { Collision } from "./model.ts";

export async function insertCollision(db: Db, collision: Collision): Promise<void> {
  const { other, ...row } = collision;
  await db.run(db.q.insertInto("collision").values({ ...row, other: other ?? "", ...textsOf(collision) }));
}

/** Saves changes to the version that was read, and answers the collision as it is now. */
export async function saveCollision(
  db: Db,
  read: Collision,
  changes: Partial<Pick<Collision, "verdict" | "places" | "baseBranch" | "since" | "told" | "endedAt">>,
): Promise<Collision> {
  const next = { ...read, ...changes, version: read.version + 1 };
  const { verdict, baseBranch, since, endedAt, version } = next;
  await saveVersioned(
    db,
    db.q
      .updateTable("collision")
      .set({ verdict, baseBranch, since, endedAt, version, ...textsOf(next) })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
  return next;
}

const textsOf = ({ places, told }: Collision) => ({ places: JSON.stringify(places), told: JSON.stringify(told) });

/** Forgets what ended long ago; the ledger has it. */
export async function deleteOldCollisions(db: Db, before: number): Promise<void> {
  await db.run(db.q.deleteFrom("collision").where("endedAt", "<", before));
}
