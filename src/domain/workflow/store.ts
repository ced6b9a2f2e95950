import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { WorkflowRow } from "../../storage/schema.ts";
import type { Workflow } from "./model.ts";

export async function insertWorkflow(db: Db, workflow: Workflow): Promise<void> {
  await db.run(insertion(db.q, rowOf(workflow)));
}

const insertion = prepare((q, row: WorkflowRow) => q.insertInto("workflow").values(row));

export async function saveWorkflow(
  db: Db,
  read: Workflow,
  changes: Partial<Pick<Workflow, "status" | "statusReason" | "maxParallel" | "makesWorktrees" | "plan">> & {
    updatedAt: number;
  },
): Promise<void> {
  const { plan, makesWorktrees, ...plain } = changes;
  await saveVersioned(
    db,
    db.q
      .updateTable("workflow")
      .set({
        ...plain,
        ...(plan === undefined ? {} : { plan: JSON.stringify(plan) }),
        ...(makesWorktrees === undefined ? {} : { makesWorktrees: Number(makesWorktrees) }),
        version: read.version + 1,
      })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

const rowOf = (workflow: Workflow): WorkflowRow => ({
  ...workflow,
  makesWorktrees: Number(workflow.makesWorktrees),
  endsWithTasks: Number(workflow.endsWithTasks),
  plan: workflow.plan === null ? null : JSON.stringify(workflow.plan),
});
