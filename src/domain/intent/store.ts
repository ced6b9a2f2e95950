import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { IntentRow } from "../../storage/schema-team.ts";
import type { Intent } from "./model.ts";

export async function insertIntent(db: Db, intent: Intent): Promise<void> {
  await db.run(insertion(db.q, { ...intent, isContainer: Number(intent.isContainer) }));
}

const insertion = prepare((q, row: IntentRow) => q.insertInto("intent").values(row));

export async function saveIntent(
  db: Db,
  read: Intent,
  changes: Partial<
    Pick<Intent, "developerId" | "sessionId" | "scope" | "action" | "component" | "priority" | "taskType" | "reason">
  > & { updatedAt: number },
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("intent")
      .set({ ...changes, version: read.version + 1 })
      .where("subjectId", "=", read.subjectId)
      .where("version", "=", read.version),
  );
}
