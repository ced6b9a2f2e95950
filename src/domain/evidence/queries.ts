import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { IdSet } from "../../storage/id-set.ts";
import type { EvidenceRow } from "../../storage/schema.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { ReceiptLevel, ResultGlance } from "../result.ts";
import type { Evidence, Receipt, Snapshot, TaskEvidence } from "./model.ts";

export async function findEvidence(db: Db, taskId: TaskId): Promise<Evidence | undefined> {
  const row = await db.first(
    db.q
      .selectFrom("evidence")
      .select([...columns, "snapshot"])
      .where("taskId", "=", taskId),
  );
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

/**
 * What is to be said at a glance of the results among these tasks. What was done without a receipt is its doer's word;
 * what is not over yet has no result.
 */
export async function readResults(
  db: Db,
  tasks: readonly { readonly id: TaskId; readonly status: Lifecycle }[],
): Promise<ReadonlyMap<TaskId, ResultGlance>> {
  const ended = tasks.filter(({ status }) => status === "done" || status === "failed");
  if (ended.length === 0) return new Map();
  const rows = await db.all(
    db.q
      .selectFrom("evidence")
      .select(["taskId", "level", "outOfScope", "failedChecks"])
      .where(
        "taskId",
        "in",
        ended.map(({ id }) => id),
      )
      .where("level", "is not", null)
      .$narrowType<{ level: ReceiptLevel }>(),
  );
  const known = rows.map(({ taskId, ...glance }) => [taskId, glance] as const);
  const unproven = ended.filter(({ status }) => status === "done").map(({ id }) => [id, onlySaid] as const);
  return new Map([...unproven, ...known]);
}

const onlySaid: ResultGlance = { level: "self-reported", outOfScope: 0, failedChecks: 0 };

/** Who is said to do these tasks, where whoever started them gave a name. */
export async function readAgentNames(db: Db, taskIds: readonly TaskId[]): Promise<ReadonlyMap<TaskId, string>> {
  if (taskIds.length === 0) return new Map();
  const rows = await db.all(
    db.q
      .selectFrom("evidence")
      .select(["taskId", "agentName"])
      .where("taskId", "in", taskIds)
      .where("agentName", "is not", null)
      .$narrowType<{ agentName: string }>(),
  );
  return new Map(rows.map(({ taskId, agentName }) => [taskId, agentName]));
}

export async function listChildren(db: Db, parentId: TaskId): Promise<TaskId[]> {
  const rows = await db.all(db.q.selectFrom("evidence").select("taskId").where("parentId", "=", parentId));
  return rows.map((row) => row.taskId);
}

/** Receipts that were written before servers ran checks know of none. */
const receiptOf = (text: string): Receipt => ({ ...withoutChecks, ...(JSON.parse(text) as Receipt) });

const withoutChecks = { checks: { state: "absent" as const, configHash: null, results: [] } };

const evidenceOf = ({ snapshot, ...row }: KeptRow & Pick<EvidenceRow, "snapshot">): Evidence => ({
  ...taskEvidenceOf(row),
  snapshot: JSON.parse(snapshot) as Snapshot,
});

type KeptRow = Pick<EvidenceRow, (typeof columns)[number]>;

const taskEvidenceOf = ({ areas, receipt, ...row }: KeptRow): TaskEvidence => ({
  ...row,
  areas: JSON.parse(areas) as string[],
  receipt: receipt === null ? null : receiptOf(receipt),
});
