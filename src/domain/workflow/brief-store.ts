import type { PhaseId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { BriefRow, PhaseRow } from "../../storage/schema.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Brief, Closing, Phase, Profile } from "./brief-model.ts";

export async function findBrief(db: Db, workflowId: WorkflowId): Promise<Brief | undefined> {
  const row = await db.first(db.q.selectFrom("brief").selectAll().where("workflowId", "=", workflowId));
  return row && briefOf(row);
}

export async function insertBrief(db: Db, brief: Brief): Promise<void> {
  await db.run(
    db.q.insertInto("brief").values({
      ...brief,
      endsByItself: Number(brief.endsByItself),
      closing: brief.closing === null ? null : JSON.stringify(brief.closing),
    }),
  );
}

export async function saveBrief(
  db: Db,
  read: Brief,
  changes: { currentPhase?: number; closing?: Closing | null },
): Promise<void> {
  const { closing, ...plain } = changes;
  await saveVersioned(
    db,
    db.q
      .updateTable("brief")
      .set({
        ...plain,
        ...(closing === undefined ? {} : { closing: closing === null ? null : JSON.stringify(closing) }),
        version: read.version + 1,
      })
      .where("workflowId", "=", read.workflowId)
      .where("version", "=", read.version),
  );
}

/** What goes on has no end to tell of. */
export async function reopenBrief(db: Db, workflowId: WorkflowId): Promise<void> {
  const brief = await findBrief(db, workflowId);
  if (brief?.closing) await saveBrief(db, brief, { closing: null });
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

export async function insertPhase(db: Db, phase: Phase): Promise<void> {
  await db.run(db.q.insertInto("phase").values(phase));
}

export async function savePhase(db: Db, read: Phase, changes: Partial<Phase>): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("phase")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
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
