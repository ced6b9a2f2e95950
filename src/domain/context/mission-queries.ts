import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";

/** The last tasks of a workflow that ended and have something to show for it, newest first. */
export async function listLastProven(
  db: Db,
  workflowId: WorkflowId,
  limit: number,
): Promise<{ readonly id: TaskId; readonly name: string }[]> {
  const rows = await db.all(
    db.q
      .selectFrom("evidence")
      .innerJoin("task", "task.id", "evidence.taskId")
      .select(["task.id", "task.name"])
      .where("task.workflowId", "=", workflowId)
      .where("evidence.receipt", "is not", null)
      .orderBy("task.endedAt", "desc")
      .limit(limit),
  );
  return rows.map((row) => row);
}
