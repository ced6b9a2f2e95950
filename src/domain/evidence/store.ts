import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import { glanceAt, isDoubtful } from "./glance.ts";
import type { Evidence, Receipt } from "./model.ts";

/** Of a task that begins: it has no receipt yet. */
export async function insertEvidence(db: Db, evidence: Evidence): Promise<void> {
  await db.run(
    db.q.insertInto("evidence").values({
      taskId: evidence.taskId,
      phaseId: evidence.phaseId,
      parentId: evidence.parentId,
      callerType: evidence.callerType,
      agentName: evidence.agentName,
      version: evidence.version,
      areas: JSON.stringify(evidence.areas),
      snapshot: JSON.stringify(evidence.snapshot),
      receipt: null,
      level: null,
      outOfScope: 0,
      failedChecks: 0,
      doubtfulSince: null,
    }),
  );
}

export async function saveReceipt(db: Db, read: Evidence, receipt: Receipt): Promise<void> {
  const glance = glanceAt(receipt);
  const doubtfulSince = isDoubtful(receipt, glance) ? receipt.at : null;
  await saveVersioned(
    db,
    db.q
      .updateTable("evidence")
      .set({ receipt: JSON.stringify(receipt), ...glance, doubtfulSince, version: read.version + 1 })
      .where("taskId", "=", read.taskId)
      .where("version", "=", read.version),
  );
}

/** Whether there was a doubt to end. */
export async function endDoubt(db: Db, read: Evidence): Promise<boolean> {
  const row = await db.first(
    db.q
      .selectFrom("evidence")
      .select("doubtfulSince")
      .where("taskId", "=", read.taskId)
      .where("doubtfulSince", "is not", null),
  );
  if (!row) return false;
  await saveVersioned(
    db,
    db.q
      .updateTable("evidence")
      .set({ doubtfulSince: null, version: read.version + 1 })
      .where("taskId", "=", read.taskId)
      .where("version", "=", read.version),
  );
  return true;
}

/** What was proven of an earlier end says nothing of a later one; the receipt itself stays. */
export async function clearGlance(db: Db, read: Pick<Evidence, "taskId" | "version">): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("evidence")
      .set({ level: null, outOfScope: 0, failedChecks: 0, doubtfulSince: null, version: read.version + 1 })
      .where("taskId", "=", read.taskId)
      .where("version", "=", read.version),
  );
}
