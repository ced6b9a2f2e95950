import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import type { IntentRow } from "../../storage/schema-team.ts";
import type { Intent } from "./model.ts";

export async function findIntent(db: Db, subjectId: string): Promise<Intent | undefined> {
  const row = await db.first(bySubject(db.q, subjectId));
  return row && intentOf(row);
}

const bySubject = prepare((q, subjectId: string) =>
  q.selectFrom("intent").selectAll().where("subjectId", "=", subjectId),
);

export async function listIntents(db: Db, subjectIds: readonly string[]): Promise<ReadonlyMap<string, Intent>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db.all(bySubjects(db.q, subjectIds));
  return new Map(rows.map((row) => [row.subjectId, intentOf(row)]));
}

const bySubjects = prepare((q, subjectIds: readonly string[]) =>
  q.selectFrom("intent").selectAll().where("subjectId", "in", subjectIds),
);

const intentOf = (row: IntentRow): Intent => ({
  ...row,
  isContainer: row.isContainer === 1,
});
