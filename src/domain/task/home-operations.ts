import type { WorkflowId } from "../../contract/ids.ts";
import { isFinished } from "../lifecycle.ts";
import type { SystemWork } from "../work.ts";
import { findWorkflow } from "../workflow/queries.ts";
import { closeContainer, touchContainer } from "../workflow/stream-operations.ts";
import { listOpenTaskIds } from "./home-queries.ts";

/** A task has ended or left: what the server made around tasks is closed when nothing open remains inside. */
export async function settleContainer(work: SystemWork, id: WorkflowId | null): Promise<void> {
  const home = id === null ? undefined : await findWorkflow(work.db, id);
  if (!home?.endsWithTasks || isFinished(home.status)) return;
  const [open] = await listOpenTaskIds(work.db, home.id, 1);
  await (open === undefined ? closeContainer(work, home) : touchContainer(work, home));
}
