import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { finished } from "../lifecycle.ts";

/** What is not finished of a workflow, oldest first. */
export async function listOpenTaskIds(db: Db, workflowId: WorkflowId, limit: number): Promise<TaskId[]> {
  const rows = await db.all(
    db.q
      .selectFrom("task")
      .select("id")
      .where("workflowId", "=", workflowId)
      .where("status", "not in", finished)
      .orderBy("createdAt")
      .orderBy("id")
      .limit(limit),
  );
  return rows.map(({ id }) => id);
}
