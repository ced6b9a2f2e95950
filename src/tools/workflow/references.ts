import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";

/** No task or workflow can exist yet, so any id that names one is unknown; better said now than stored as a dead link. */

export function refuseUnknownTask(id: TaskId | null | undefined): void {
  if (id != null) throw new Refusal("TASK_NOT_FOUND", "No task has that id.");
}

export function refuseUnknownWorkflow(id: WorkflowId | undefined): void {
  if (id !== undefined) throw new Refusal("WORKFLOW_NOT_FOUND", "No workflow has that id.");
}
