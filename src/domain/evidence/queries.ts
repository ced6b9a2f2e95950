import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { IdSet } from "../../storage/id-set.ts";
import type { EvidenceRow } from "../../storage/schema.ts";
import type { Evidence, Receipt, Snapshot, TaskEvidence } from "./model.ts";

export async function findEvidence(db: Db, taskId: TaskId): Promise<Evidence | undefined> {
  const row = await db.first(db.q.selectFrom("evidence").selectAll().where("taskId", "=", taskId));
  return row && evidenceOf(row);
}

const columns = ["taskId", "phaseId", "parentId", "areas", "callerType", "agentName", "receipt", "version"] as const;

export async function findTaskEvidence(db: Db, taskId: TaskId): Promise<TaskEvidence | undefined> {
  const row = await db.first(db.q.selectFrom("evidence").select(columns).where("taskId", "=", taskId));
  return row && taskEvidenceOf(row);
}

/** The evidence of all these tasks, in no order. */
export async function listEvidence(db: Db, taskIds: IdSet<TaskId> | readonly TaskId[]): Promise<TaskEvidence[]> {
  const rows = await db.all(db.q.selectFrom("evidence").select(columns).where("taskId", "in", taskIds));
  return rows.map(taskEvidenceOf);
}

export async function listChildren(db: Db, parentId: TaskId): Promise<TaskId[]> {
  const rows = await db.all(db.q.selectFrom("evidence").select("taskId").where("parentId", "=", parentId));
  return rows.map((row) => row.taskId);
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
  areas: JSON.parse(row.areas) as string[],
  receipt: row.receipt === null ? null : receiptOf(row.receipt),
});
