import { isFinished } from "../lifecycle.ts";
import type { SystemWork } from "../work.ts";
import { findWorkflow } from "../workflow/queries.ts";
import { closeContainer, touchContainer } from "../workflow/stream-operations.ts";
import type { Task } from "./model.ts";
import { isEverythingFinished } from "./queue-queries.ts";

/** A task has ended: what the server made around it is closed with the last of its tasks, whichever family ended it. */
export async function settleContainer(work: SystemWork, task: Task): Promise<void> {
  if (task.workflowId === null) return;
  const home = await findWorkflow(work.db, task.workflowId);
  if (!home?.endsWithTasks || isFinished(home.status)) return;
  if (await isEverythingFinished(work.db, home.id)) await closeContainer(work, home);
  else await touchContainer(work, home);
}
