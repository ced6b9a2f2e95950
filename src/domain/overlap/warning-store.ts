import type { DeveloperId, WarningId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { WarningRow } from "../../storage/schema-team.ts";
import type { Warning } from "./model.ts";

export async function findWarning(db: Db, id: WarningId): Promise<Warning | undefined> {
  const row = await db.first(db.q.selectFrom("warning").selectAll().where("id", "=", id));
  return row && warningOf(row);
}

/** Warnings about planned work that nobody has settled yet. */
export async function listUnsettledWarnings(db: Db, subjectId: string): Promise<Warning[]> {
  const rows = await db.all(
    db.q
      .selectFrom("warning")
      .selectAll()
      .where("subjectId", "=", subjectId)
      .where("status", "in", ["open", "noted"])
      .orderBy("createdAt"),
  );
  return rows.map(warningOf);
}

/** Warnings that wait for somebody, newest first. */
export async function listOpenWarnings(
  db: Db,
  ask: { developerId?: DeveloperId | undefined; limit: number },
): Promise<Warning[]> {
  let query = db.q
    .selectFrom("warning")
    .selectAll()
    .where("status", "=", "open")
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(ask.limit);
  if (ask.developerId !== undefined) query = query.where("developerId", "=", ask.developerId);
  return (await db.all(query)).map(warningOf);
}

export async function insertWarning(db: Db, warning: Warning): Promise<void> {
  await db.run(insertion(db.q, { ...warning, matches: JSON.stringify(warning.matches) }));
}

const insertion = prepare((q, row: WarningRow) => q.insertInto("warning").values(row));

export async function saveWarning(
  db: Db,
  read: Warning,
  changes: { status: Warning["status"]; reason: string | null; subjectId?: string; updatedAt: number },
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("warning")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

const warningOf = (row: WarningRow): Warning => ({
  ...row,
  matches: JSON.parse(row.matches) as Warning["matches"],
});
