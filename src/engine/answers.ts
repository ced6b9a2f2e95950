import type { DeveloperId } from "../contract/ids.ts";
import { Refusal } from "../contract/refusal.ts";
import type { Db } from "../storage/db.ts";

/** Answers are kept for this long; a client that repeats a call later than that has given up before. */
export const answersKeptMs = 7 * 24 * 3_600_000;

const longestKey = 255;

/** What one developer calls one attempt to do one thing (C11). */
export interface AnswerKey {
  readonly developerId: DeveloperId;
  readonly key: string;
  readonly tool: string;
}

/** The first answer to a call with this key, as a wrapper so that an answer of `null` is told from none. */
export async function findAnswer(db: Db, ask: AnswerKey): Promise<{ value: unknown } | undefined> {
  if (ask.key === "" || ask.key.length > longestKey) {
    throw new Refusal("INVALID_REQUEST", `An idempotency key has 1 to ${longestKey} characters.`);
  }
  const row = await db.first(
    db.q
      .selectFrom("answer")
      .select(["tool", "answer"])
      .where("developerId", "=", ask.developerId)
      .where("key", "=", ask.key),
  );
  if (row && row.tool !== ask.tool) {
    throw new Refusal("CONFLICT", `That idempotency key was used for ${row.tool}.`, "Use a new key for a new call.");
  }
  return row && { value: JSON.parse(row.answer) as unknown };
}

/** Kept in the same transaction as the effect it answers for. */
export async function insertAnswer(
  db: Db,
  answer: AnswerKey & { readonly value: unknown; readonly createdAt: number },
): Promise<void> {
  const { value, ...rest } = answer;
  await db.run(db.q.insertInto("answer").values({ ...rest, answer: JSON.stringify(value ?? null) }));
}

export async function deleteOldAnswers(db: Db, before: number): Promise<void> {
  await db.run(db.q.deleteFrom("answer").where("createdAt", "<", before));
}
