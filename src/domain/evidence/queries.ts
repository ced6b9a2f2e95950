import type { PhaseId, TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { EvidenceRow } from "../../storage/schema.ts";
import type { Evidence, Receipt, Snapshot, TaskEvidence } from "./model.ts";

export async function findEvidence(db: Db, taskId: TaskId): Promise<Evidence | undefined> {
  const row = await db.first(db.q.selectFrom("evidence").selectAll().where("taskId", "=", taskId));
  return row && evidenceOf(row);
}

const columns = [
  "evidence.taskId",
  "evidence.phaseId",
  "evidence.parentId",
  "evidence.areas",
  "evidence.callerType",
  "evidence.agentName",
  "evidence.receipt",
  "evidence.version",
] as const;

export async function findTaskEvidence(db: Db, taskId: TaskId): Promise<TaskEvidence | undefined> {
  const row = await db.first(db.q.selectFrom("evidence").select(columns).where("taskId", "=", taskId));
  return row && taskEvidenceOf(row);
}

/** The evidence of all tasks of a workflow, in no order. */
export async function listEvidence(db: Db, workflowId: WorkflowId): Promise<TaskEvidence[]> {
  const rows = await db.all(
    db.q
      .selectFrom("evidence")
      .innerJoin("task", "task.id", "evidence.taskId")
      .select(columns)
      .where("task.workflowId", "=", workflowId),
  );
  return rows.map(taskEvidenceOf);
}

/** What the last tasks of a workflow that ended can show, newest first. */
export async function listLatestReceipts(
  db: Db,
  workflowId: WorkflowId,
  limit: number,
): Promise<{ readonly taskId: TaskId; readonly taskName: string; readonly receipt: Receipt }[]> {
  const rows = await db.all(
    db.q
      .selectFrom("evidence")
      .innerJoin("task", "task.id", "evidence.taskId")
      .select(["evidence.taskId", "evidence.receipt", "task.name"])
      .where("task.workflowId", "=", workflowId)
      .where("evidence.receipt", "is not", null)
      .orderBy("task.endedAt", "desc")
      .limit(limit),
  );
  return rows.flatMap(({ taskId, receipt, name }) =>
    receipt === null ? [] : [{ taskId: taskId as TaskId, taskName: name, receipt: receiptOf(receipt) }],
  );
}

export async function listChildren(db: Db, parentId: TaskId): Promise<TaskId[]> {
  const rows = await db.all(db.q.selectFrom("evidence").select("taskId").where("parentId", "=", parentId));
  return rows.map((row) => row.taskId as TaskId);
}

/** Receipts that were written before servers ran checks know of none. */
const receiptOf = (text: string): Receipt => ({ ...withoutChecks, ...(JSON.parse(text) as Receipt) });

const withoutChecks = { checks: { state: "absent" as const, configHash: null, results: [] } };

const evidenceOf = (row: EvidenceRow): Evidence => ({
  ...taskEvidenceOf(row),
  snapshot: JSON.parse(row.snapshot) as Snapshot,
});

const taskEvidenceOf = (row: Omit<EvidenceRow, "snapshot">): TaskEvidence => ({
  ...row,
  taskId: row.taskId as TaskId,
  phaseId: row.phaseId as PhaseId | null,
  parentId: row.parentId as TaskId | null,
  areas: JSON.parse(row.areas) as string[],
  callerType: row.callerType as Evidence["callerType"],
  receipt: row.receipt === null ? null : receiptOf(row.receipt),
});
