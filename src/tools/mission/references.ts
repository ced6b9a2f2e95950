import type { TaskId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { findTask } from "../../domain/task/queries.ts";
import type { Work } from "../../domain/work.ts";

/** An unknown task is NOT_FOUND in this family's words. */
export async function checkTask(work: Work, id: TaskId): Promise<void> {
  if (!(await findTask(work.db, id)))
    throw new Refusal("NOT_FOUND", "No task has that id.", "Start it with start_task.");
}
