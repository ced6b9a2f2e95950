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

export async function markSent(db: Db, { id, item }: Pick<PullComment, "id" | "item">, sentAt: number): Promise<void> {
  await db.run(db.q.updateTable("pullComment").set({ sentAt, item }).where("id", "=", id).where("sentAt", "is", null));
}

/** What was asked for and is done: these, or all of a pull request. */
export async function markDone(
  db: Db,
  { pullId, items }: { readonly pullId: PullId; readonly items?: readonly string[] },
  doneAt: number,
): Promise<void> {
  let query = db.q.updateTable("pullComment").set({ doneAt }).where("pullId", "=", pullId).where("doneAt", "is", null);
  query = items === undefined ? query.where("item", "is not", null) : query.where("item", "in", items);
  if (items === undefined || items.length > 0) await db.run(query);
}
