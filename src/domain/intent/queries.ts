import type { Db } from "../../storage/db.ts";
import type { IntentRow } from "../../storage/schema-team.ts";
import type { Intent } from "./model.ts";

export async function findIntent(db: Db, subjectId: string): Promise<Intent | undefined> {
  const row = await db.first(db.q.selectFrom("intent").selectAll().where("subjectId", "=", subjectId));
  return row && intentOf(row);
}

export async function listIntents(db: Db, subjectIds: readonly string[]): Promise<ReadonlyMap<string, Intent>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db.all(db.q.selectFrom("intent").selectAll().where("subjectId", "in", subjectIds));
  return new Map(rows.map((row) => [row.subjectId, intentOf(row)]));
}

const intentOf = (row: IntentRow): Intent => ({
  ...row,
  isContainer: row.isContainer === 1,
});
