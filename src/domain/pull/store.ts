import type { PullId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import type { Pull, PullComment } from "./model.ts";

/** Numbers are given, and branches looked at, one after the other. */
export const guardPulls = (db: Db): Promise<void> => guard(db, "pulls");

export async function insertPull(db: Db, pull: Pull): Promise<void> {
  await db.run(db.q.insertInto("pull").values({ ...pull, isSentBack: Number(pull.isSentBack) }));
}

export async function savePull(db: Db, read: Pull, changes: Partial<Pull>): Promise<Pull> {
  const { isSentBack, ...plain } = changes;
  await saveVersioned(
    db,
    db.q
      .updateTable("pull")
      .set({
        ...plain,
        ...(isSentBack === undefined ? {} : { isSentBack: Number(isSentBack) }),
        version: read.version + 1,
      })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
  return { ...read, ...changes, version: read.version + 1 };
}

export async function insertComment(db: Db, comment: PullComment): Promise<void> {
  await db.run(db.q.insertInto("pullComment").values(comment));
}

export async function markSent(db: Db, pullId: PullId, sentAt: number): Promise<void> {
  await db.run(
    db.q.updateTable("pullComment").set({ sentAt }).where("pullId", "=", pullId).where("sentAt", "is", null),
  );
}
