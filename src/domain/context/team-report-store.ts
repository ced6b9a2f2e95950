import type { DeveloperId, ReportId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { AuditFindings, Report, WeekFindings } from "./team-model.ts";

/** What each kind of report holds. */
interface Findings {
  readonly audit: AuditFindings;
  readonly week: WeekFindings;
}

type Kind = keyof Findings;

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
    id: row.id as ReportId,
    developerId: row.developerId as DeveloperId,
    createdAt: row.createdAt,
    data: JSON.parse(row.data) as Findings[K],
  }));
}
