import type { WorkflowId } from "../../contract/ids.ts";
import { isFinished } from "../lifecycle.ts";
import type { SystemWork } from "../work.ts";
import { findWorkflow } from "../workflow/queries.ts";
import { closeContainer, touchContainer } from "../workflow/workstream-operations.ts";
import { listOpenTaskIds } from "./container-queries.ts";

/** A task has ended or left: what the server made around tasks is closed when nothing open remains inside. */
export async function settleContainer(work: SystemWork, id: WorkflowId | null): Promise<void> {
  const container = id === null ? undefined : await findWorkflow(work.db, id);
  if (!container?.endsWithTasks || isFinished(container.status)) return;
  const [open] = await listOpenTaskIds(work.db, container.id, 1);
  await (open === undefined ? closeContainer(work, container) : touchContainer(work, container));
}
