import type { DeveloperId } from "../contract/ids.ts";
import type { Db } from "../storage/db.ts";

/** Answers are kept for this long; a client that repeats a call later than that has given up before. */
export const answersKeptMs = 7 * 24 * 3_600_000;

/** The first answer to a call with this key, as a wrapper so that an answer of `null` is told from none (C11). */
export async function findAnswer(db: Db, developerId: DeveloperId, key: string): Promise<{ value: unknown } | undefined> {
  const row = await db.first(
    db.q.selectFrom("answer").select("answer").where("developerId", "=", developerId).where("key", "=", key),
  );
  return row && { value: JSON.parse(row.answer) as unknown };
}

/** Kept in the same transaction as the effect it answers for. */
export async function insertAnswer(
  db: Db,
  answer: { developerId: DeveloperId; key: string; tool: string; value: unknown; createdAt: number },
): Promise<void> {
  const { value, ...rest } = answer;
  await db.run(db.q.insertInto("answer").values({ ...rest, answer: JSON.stringify(value ?? null) }));
}

export async function deleteOldAnswers(db: Db, before: number): Promise<void> {
  await db.run(db.q.deleteFrom("answer").where("createdAt", "<", before));
}
