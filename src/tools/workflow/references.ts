import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import { getTask } from "../../domain/task/queries.ts";
import type { Work } from "../../domain/work.ts";
import { getWorkflow } from "../../domain/workflow/queries.ts";

/** What a message or an agent refers to must exist: better said now than stored as a dead link. */
export async function checkReferences(
  work: Work,
  ids: { task?: TaskId | null | undefined; workflow?: WorkflowId | undefined },
): Promise<void> {
  if (ids.workflow !== undefined) await getWorkflow(work.db, ids.workflow);
  if (ids.task != null) await getTask(work.db, ids.task);
}
