import type { FeedbackId, InstanceId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { FeedbackRow } from "../../storage/schema-review.ts";
import { type Feedback, type NamedItem, openItems, type Review, type TrackedItem } from "./model.ts";

export async function getReview(db: Db, id: InstanceId): Promise<Review> {
  const review = await findReview(db, id);
  if (!review) throw new Refusal("INSTANCE_NOT_FOUND", "No review has that id.");
  return review;
}

export async function findReview(db: Db, id: InstanceId): Promise<Review | undefined> {
  return db.first(db.q.selectFrom("review").selectAll().where("id", "=", id));
}

/** Coders whose work was found to need work so many times. */
export async function listFrustrated(db: Db, times: number): Promise<InstanceId[]> {
  const rows = await db.all(
    db.q
      .selectFrom("feedback")
      .select("coderId")
      .where("type", "=", "needs_work")
      .groupBy("coderId")
      .having((of) => of(of.fn.countAll<number>(), ">=", times)),
  );
  return rows.map(({ coderId }) => coderId);
}

/** The round that is under way for a coder. */
export async function findLiveReview(db: Db, coderId: InstanceId): Promise<Review | undefined> {
  return db.first(db.q.selectFrom("review").selectAll().where("coderId", "=", coderId).where("endedAt", "is", null));
}

/** The rounds of a coder, first first. */
export async function listRounds(db: Db, coderId: InstanceId): Promise<Review[]> {
  return db.all(db.q.selectFrom("review").selectAll().where("coderId", "=", coderId).orderBy("round"));
}

/** Reviews under way, oldest first. */
export async function listLiveReviews(db: Db): Promise<Review[]> {
  return db.all(db.q.selectFrom("review").selectAll().where("endedAt", "is", null).orderBy("requestedAt"));
}

/** Newest first. */
export async function listReviews(db: Db, { limit }: { readonly limit: number }): Promise<Review[]> {
  return db.all(db.q.selectFrom("review").selectAll().orderBy("requestedAt", "desc").orderBy("id").limit(limit));
}

export async function getFeedback(db: Db, id: FeedbackId): Promise<Feedback> {
  const row = await db.first(db.q.selectFrom("feedback").selectAll().where("id", "=", id));
  if (!row) throw new Refusal("NOT_FOUND", "No feedback has that id.");
  return feedbackOf(row);
}

/** What a coder was told, first first. */
export async function listFeedback(db: Db, coderId: InstanceId): Promise<Feedback[]> {
  const rows = await db.all(
    db.q.selectFrom("feedback").selectAll().where("coderId", "=", coderId).orderBy("round").orderBy("createdAt"),
  );
  return rows.map(feedbackOf);
}

/** What rounds before this one asked for and nobody has found done. */
export async function listStillOpen(
  db: Db,
  { coderId, round }: Pick<Feedback, "coderId" | "round">,
): Promise<NamedItem[]> {
  return openItems((await listFeedback(db, coderId)).filter((earlier) => earlier.round < round));
}

const feedbackOf = (row: FeedbackRow): Feedback => ({ ...row, items: JSON.parse(row.items) as TrackedItem[] });
