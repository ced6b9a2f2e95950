import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { FindingRow } from "../../storage/schema.ts";
import type { Finding } from "./model.ts";
import { rankOf } from "./queries.ts";

/** Who brings in the same at the same moment has the same to say: the first one stays. */
export async function insertFindings(db: Db, findings: readonly Finding[]): Promise<void> {
  if (findings.length === 0) return;
  await db.run(
    db.q
      .insertInto("finding")
      .values(findings.map(rowOf))
      .onConflict((on) => on.column("id").doNothing()),
  );
}

type Changes = Partial<Pick<FindingRow, "state" | "taskId" | "expiresAt" | "updatedAt">>;

export async function saveFinding(
  db: Db,
  { id, version }: Pick<Finding, "id" | "version">,
  changes: Changes | (Changes & Content),
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("finding")
      .set({ ...changes, version: version + 1 })
      .where("id", "=", id)
      .where("version", "=", version),
  );
}

type Content = ReturnType<typeof contentOf>;

const rowOf = (finding: Finding): FindingRow => ({ ...finding, ...contentOf(finding) });

/** What a later report may say differently. */
export function contentOf(finding: Omit<Finding, "id" | "version" | "state" | "taskId" | "expiresAt" | "createdAt">) {
  const { developerId, source, severity, title, vulnId, packageName, manifestPath, service, env } = finding;
  return {
    developerId,
    source,
    severity,
    severityRank: rankOf(severity),
    title,
    vulnId,
    packageName,
    manifestPath,
    service,
    env,
    repositoryPath: finding.repositoryPath,
    record: JSON.stringify(finding.record),
    updatedAt: finding.updatedAt,
  };
}
