import type { Db } from "../../storage/db.ts";
import type { Notice } from "./notice-model.ts";

export async function insertNotice(db: Db, notice: Notice): Promise<void> {
  await db.run(db.q.insertInto("notice").values({ ...notice, deliveredAt: null, isHeard: 0 }));
}

export async function markDelivered(db: Db, ids: readonly string[], now: number): Promise<void> {
  await db.run(
    db.q.updateTable("notice").set({ deliveredAt: now }).where("id", "in", ids).where("deliveredAt", "is", null),
  );
}

/** They were told to who waited for them; the same wait may ask for them once more. */
export async function markHeard(db: Db, ids: readonly string[], now: number): Promise<void> {
  await db.run(db.q.updateTable("notice").set({ deliveredAt: now, isHeard: 1 }).where("id", "in", ids));
}

export async function deleteNotices(db: Db, before: number): Promise<void> {
  await db.run(db.q.deleteFrom("notice").where("createdAt", "<", before));
}

export async function deleteUndelivered(db: Db, about: readonly string[]): Promise<void> {
  await db.run(db.q.deleteFrom("notice").where("about", "in", about).where("deliveredAt", "is", null));
}

export async function deleteWaiting(db: Db, ids: readonly string[]): Promise<void> {
  await db.run(db.q.deleteFrom("notice").where("id", "in", ids).where("deliveredAt", "is", null));
}
