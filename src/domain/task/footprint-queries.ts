import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { endedStatuses } from "../lifecycle.ts";
import type { Footprint, ProbableFile } from "./footprint-model.ts";

type Row = Omit<Footprint, "files"> & { readonly files: string };

const footprintOf = (row: Row): Footprint => ({ ...row, files: JSON.parse(row.files) as ProbableFile[] });

export async function findFootprint(db: Db, taskId: TaskId): Promise<Footprint | undefined> {
  const row = await db.first(db.q.selectFrom("footprint").selectAll().where("taskId", "=", taskId));
  return row && footprintOf(row);
}

/** Planned tasks that have none, or that were changed since; the newest first. */
export async function listUnpredicted(db: Db, limit: number): Promise<{ id: TaskId; updatedAt: number }[]> {
  return db.all(
    db.q
      .selectFrom("task")
      .leftJoin("footprint", "footprint.taskId", "task.id")
      .select(["task.id as id", "task.updatedAt as updatedAt"])
      .where("task.status", "=", "planned")
      .where((or) => or.or([or("footprint.taskId", "is", null), or("footprint.madeAt", "<", or.ref("task.updatedAt"))]))
      .orderBy("task.updatedAt", "desc")
      .limit(limit),
  );
}

/** Those of other tasks in a repository that have not ended. */
export async function listOtherFootprints(db: Db, own: Footprint, limit: number): Promise<Footprint[]> {
  const rows = await db.all(
    db.q
      .selectFrom("footprint")
      .innerJoin("task", "task.id", "footprint.taskId")
      .selectAll("footprint")
      .where("footprint.repositoryPath", "=", own.repositoryPath)
      .where("footprint.taskId", "!=", own.taskId)
      .where("task.status", "not in", endedStatuses)
      .orderBy("task.updatedAt", "desc")
      .limit(limit),
  );
  return rows.map(footprintOf);
}
