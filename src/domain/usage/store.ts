import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import type { SpanRow } from "../../storage/schema-team.ts";
import type { Span } from "./model.ts";

/** What this developer has reported with the very same payload before. */
export async function findSpanByPayload(db: Db, developerId: DeveloperId, hash: string): Promise<Span | undefined> {
  const row = await db.first(byPayload(db.q, developerId, hash));
  return row && spanOf(row);
}

const byPayload = prepare((q, developerId: DeveloperId, hash: string) =>
  q.selectFrom("span").selectAll().where("developerId", "=", developerId).where("payloadHash", "=", hash),
);

export async function insertSpan(db: Db, span: Span): Promise<void> {
  await db.run(db.q.insertInto("span").values({ ...span, isMismatch: Number(span.isMismatch) }));
}

const spanOf = (row: SpanRow): Span => ({
  ...row,
  isMismatch: row.isMismatch === 1,
});
