import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Task } from "./model.ts";
import { taskOf } from "./queries.ts";

export async function findTasksByName(
  db: Db,
  workflowId: WorkflowId,
  names: readonly string[],
): Promise<ReadonlyMap<string, Task>> {
  const rows = await db.all(
    db.q.selectFrom("task").selectAll().where("workflowId", "=", workflowId).where("name", "in", names),
  );
  return new Map(rows.map((row) => [row.name, taskOf(row)]));
}

/** The chains that end in these tasks have grown by one: what they wait for stands further from the end, all the way up. */
export async function raiseTails(db: Db, ids: readonly TaskId[]): Promise<void> {
  let level = ids;
  for (let tail = 3; level.length > 0; tail += 1) {
    const above = await db.all(
      db.q
        .selectFrom("dependency")
        .innerJoin("task", "task.id", "dependency.dependsOnId")
        .select("task.id")
        .distinct()
        .where("dependency.taskId", "in", level)
        .where("task.tail", "<", tail),
    );
    level = above.map((row) => row.id);
    if (level.length > 0) await db.run(db.q.updateTable("task").set({ tail }).where("id", "in", level));
  }
}
