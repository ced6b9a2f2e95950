import type { OneOf, reportKinds } from "../../contract/words.ts";
import type { Db } from "../../storage/db.ts";
import type { AuditFindings, Report, WeekFindings } from "./team-model.ts";

/** What each kind of report holds. */
interface Findings extends Record<Kind, AuditFindings | WeekFindings> {
  readonly audit: AuditFindings;
  readonly week: WeekFindings;
}

type Kind = OneOf<typeof reportKinds>;

export async function insertReport<K extends Kind>(db: Db, kind: K, report: Report<Findings[K]>): Promise<void> {
  await db.run(db.q.insertInto("report").values({ ...report, kind, data: JSON.stringify(report.data) }));
}

/** Newest first. */
export async function listReports<K extends Kind>(
  db: Db,
  kind: K,
  ask: { since?: number | undefined; limit: number },
): Promise<Report<Findings[K]>[]> {
  const rows = await db.all(
    db.q
      .selectFrom("report")
      .select(["id", "developerId", "data", "createdAt"])
      .where("kind", "=", kind)
      .where("createdAt", ">=", ask.since ?? 0)
      .orderBy("createdAt", "desc")
      .orderBy("id", "desc")
      .limit(ask.limit),
  );
  return rows.map((row) => ({
    id: row.id,
    developerId: row.developerId,
    createdAt: row.createdAt,
    data: JSON.parse(row.data) as Findings[K],
  }));
}
