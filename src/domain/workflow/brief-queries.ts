import type { PhaseId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { BriefRow } from "../../storage/schema.ts";
import type { Brief, Closing, Phase } from "./brief-model.ts";

export async function findBrief(db: Db, workflowId: WorkflowId): Promise<Brief | undefined> {
  const row = await db.first(db.q.selectFrom("brief").selectAll().where("workflowId", "=", workflowId));
  return row && briefOf(row);
}

export async function findPhase(db: Db, workflowId: WorkflowId, number: number): Promise<Phase | undefined> {
  return db.first(
    db.q.selectFrom("phase").selectAll().where("workflowId", "=", workflowId).where("number", "=", number),
  );
}

export async function findPhaseById(db: Db, id: PhaseId): Promise<Phase | undefined> {
  return db.first(db.q.selectFrom("phase").selectAll().where("id", "=", id));
}

export async function listPhases(db: Db, workflowId: WorkflowId): Promise<Phase[]> {
  return db.all(db.q.selectFrom("phase").selectAll().where("workflowId", "=", workflowId).orderBy("number"));
}

const briefOf = (row: BriefRow): Brief => ({
  ...row,
  endsByItself: row.endsByItself === 1,
  closing: row.closing === null ? null : (JSON.parse(row.closing) as Closing),
});
