import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { Evidence, Receipt } from "./model.ts";

export async function insertEvidence(db: Db, evidence: Evidence): Promise<void> {
  await db.run(
    db.q.insertInto("evidence").values({
      ...evidence,
      areas: JSON.stringify(evidence.areas),
      snapshot: JSON.stringify(evidence.snapshot),
      receipt: evidence.receipt === null ? null : JSON.stringify(evidence.receipt),
    }),
  );
}

export async function saveReceipt(db: Db, read: Evidence, receipt: Receipt): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("evidence")
      .set({ receipt: JSON.stringify(receipt), version: read.version + 1 })
      .where("taskId", "=", read.taskId)
      .where("version", "=", read.version),
  );
}
