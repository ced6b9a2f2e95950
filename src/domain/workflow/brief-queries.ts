import type { PhaseId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { BriefRow, PhaseRow } from "../../storage/schema.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Brief, Closing, Phase, Profile } from "./brief-model.ts";

export async function findBrief(db: Db, workflowId: WorkflowId): Promise<Brief | undefined> {
  const row = await db.first(db.q.selectFrom("brief").selectAll().where("workflowId", "=", workflowId));
  return row && briefOf(row);
}

export async function findPhase(db: Db, workflowId: WorkflowId, number: number): Promise<Phase | undefined> {
  const row = await db.first(
    db.q.selectFrom("phase").selectAll().where("workflowId", "=", workflowId).where("number", "=", number),
  );
  return row && phaseOf(row);
}

export async function findPhaseById(db: Db, id: PhaseId): Promise<Phase | undefined> {
  const row = await db.first(db.q.selectFrom("phase").selectAll().where("id", "=", id));
  return row && phaseOf(row);
}

export async function listPhases(db: Db, workflowId: WorkflowId): Promise<Phase[]> {
  const rows = await db.all(
    db.q.selectFrom("phase").selectAll().where("workflowId", "=", workflowId).orderBy("number"),
  );
  return rows.map(phaseOf);
}

const briefOf = (row: BriefRow): Brief => ({
  ...row,
  workflowId: row.workflowId as WorkflowId,
  profile: row.profile as Profile,
  endsByItself: row.endsByItself === 1,
  closing: row.closing === null ? null : (JSON.parse(row.closing) as Closing),
});

const phaseOf = (row: PhaseRow): Phase => ({
  ...row,
  id: row.id as PhaseId,
  workflowId: row.workflowId as WorkflowId,
  status: row.status as Lifecycle,
});
