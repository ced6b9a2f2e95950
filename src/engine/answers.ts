import type { DeveloperId } from "../contract/ids.ts";
import { Refusal } from "../contract/refusal.ts";
import { hashJson } from "../domain/canonical-json.ts";
import type { Db } from "../storage/db.ts";
import { prepare } from "../storage/prepared.ts";

/** Answers are kept for this long; a client that repeats a call later than that has given up before. */
export const answersKeptMs = 7 * 24 * 3_600_000;

const longestKey = 255;

/** What one developer calls one attempt to do one thing (ST23). */
interface AnswerKey {
  readonly developerId: DeveloperId;
  readonly key: string;
  readonly tool: string;
  /** What the call was given, as its definition has read it. */
  readonly input: unknown;
}

/** The first answer to a call with this key, as a wrapper so that an answer of `null` is told from none. */
export async function findAnswer(db: Db, ask: AnswerKey): Promise<{ value: unknown } | undefined> {
  if (ask.key === "" || ask.key.length > longestKey) {
    throw new Refusal("INVALID_REQUEST", `An idempotency key has 1 to ${longestKey} characters.`);
  }
  const row = await db.first(byKey(db.q, ask.developerId, ask.key));
  if (row && row.tool !== ask.tool) {
    throw new Refusal("CONFLICT", `That idempotency key was used for ${row.tool}.`, "Use a new key for a new call.");
  }
  // What was kept by a version that noted no arguments is believed.
  if (row && row.argumentsHash !== null && row.argumentsHash !== hashJson(ask.input)) {
    throw new Refusal(
      "INVALID_REQUEST",
      `That idempotency key was used for ${row.tool} with other arguments.`,
      "Repeat the call as it was, or use a new key for a new call.",
    );
  }
  return row && { value: JSON.parse(row.answer) as unknown };
}

const byKey = prepare((q, developerId: DeveloperId, key: string) =>
  q
    .selectFrom("answer")
    .select(["tool", "answer", "argumentsHash"])
    .where("developerId", "=", developerId)
    .where("key", "=", key),
);

/** Kept in the same transaction as the effect it answers for. */
export async function insertAnswer(
  db: Db,
  answer: AnswerKey & { readonly value: unknown; readonly createdAt: number },
): Promise<void> {
  const { developerId, key, tool, input, value, createdAt } = answer;
  await db.run(insertion(db.q, developerId, key, tool, hashJson(input), JSON.stringify(value ?? null), createdAt));
}

const insertion = prepare(
  (q, developerId: DeveloperId, key: string, tool: string, argumentsHash: string, answer: string, createdAt: number) =>
    q.insertInto("answer").values({ developerId, key, tool, argumentsHash, answer, createdAt }),
);

export async function deleteOldAnswers(db: Db, before: number): Promise<void> {
  await db.run(db.q.deleteFrom("answer").where("createdAt", "<", before));
}
