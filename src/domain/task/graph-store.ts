import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";

/** One dependency less for everyone who waited for this task. */
export async function releaseDependents(db: Db, taskId: TaskId): Promise<void> {
  await db.run(
    db.q
      .updateTable("task")
      .set((of) => ({ waitingOn: of("waitingOn", "-", 1) }))
      .where("id", "in", (of) => of.selectFrom("dependency").select("taskId").where("dependsOnId", "=", taskId)),
  );
}
