import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { Feedback, Review } from "./model.ts";

export async function insertReview(db: Db, review: Review): Promise<void> {
  await db.run(db.q.insertInto("review").values(review));
}

export async function saveReview(
  db: Db,
  read: Review,
  changes: Partial<Pick<Review, "outcome" | "endedAt">>,
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("review")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

export async function insertFeedback(db: Db, feedback: Feedback): Promise<void> {
  await db.run(db.q.insertInto("feedback").values({ ...feedback, items: JSON.stringify(feedback.items) }));
}

export async function saveFeedback(
  db: Db,
  read: Feedback,
  changes: Partial<Pick<Feedback, "commit" | "delivery" | "items">>,
): Promise<void> {
  const { items, ...plain } = changes;
  await saveVersioned(
    db,
    db.q
      .updateTable("feedback")
      .set({ ...plain, ...(items === undefined ? {} : { items: JSON.stringify(items) }), version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}
