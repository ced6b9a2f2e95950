import type { WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { Brief, Closing, Phase } from "./brief-model.ts";
import { findBrief } from "./brief-queries.ts";

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
