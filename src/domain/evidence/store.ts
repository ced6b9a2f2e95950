import type { PhaseId, TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { EvidenceRow } from "../../storage/schema.ts";
import type { Evidence, Receipt, Snapshot } from "./model.ts";

export async function findEvidence(db: Db, taskId: TaskId): Promise<Evidence | undefined> {
  const row = await db.first(db.q.selectFrom("evidence").selectAll().where("taskId", "=", taskId));
  return row && evidenceOf(row);
}

/** The evidence of all tasks of a workflow, in no order. */
export async function listEvidence(db: Db, workflowId: WorkflowId): Promise<Evidence[]> {
  const rows = await db.all(
    db.q
      .selectFrom("evidence")
      .innerJoin("task", "task.id", "evidence.taskId")
      .selectAll("evidence")
      .where("task.workflowId", "=", workflowId),
  );
  return rows.map(evidenceOf);
}

export async function listChildren(db: Db, parentId: TaskId): Promise<TaskId[]> {
  const rows = await db.all(db.q.selectFrom("evidence").select("taskId").where("parentId", "=", parentId));
  return rows.map((row) => row.taskId as TaskId);
}

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

/** Receipts that were written before servers ran checks know of none. */
const receiptOf = (text: string): Receipt => ({ ...withoutChecks, ...(JSON.parse(text) as Receipt) });

const withoutChecks = { checks: { state: "absent" as const, configHash: null, results: [] } };

const evidenceOf = (row: EvidenceRow): Evidence => ({
  ...row,
  taskId: row.taskId as TaskId,
  phaseId: row.phaseId as PhaseId | null,
  parentId: row.parentId as TaskId | null,
  areas: JSON.parse(row.areas) as string[],
  callerType: row.callerType as Evidence["callerType"],
  snapshot: JSON.parse(row.snapshot) as Snapshot,
  receipt: row.receipt === null ? null : receiptOf(row.receipt),
});
