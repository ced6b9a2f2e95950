import type { AgentId, TaskId, WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import { getTaskToWrite } from "../task/operations.ts";
import type { Work } from "../work.ts";
import { getOwnWorkflow } from "../workflow/operations.ts";
import type { Note } from "./model.ts";
import { writeNote } from "./operations.ts";

interface TeamNote {
  readonly kind: "decision" | "blocker";
  readonly text: string;
  readonly taskId: TaskId | undefined;
  readonly workflowId: WorkflowId | undefined;
  readonly sessionId: AgentId | undefined;
}

/** A note about a task or a whole workflow of the caller's own, or about neither. A blocker waits for a person. */
export async function addTeamNote(work: Work, ask: TeamNote): Promise<Note> {
  await useNamedSession(work, ask.sessionId);
  const task = ask.taskId === undefined ? undefined : await getTaskToWrite(work, ask.taskId);
  if (ask.workflowId !== undefined) await getOwnWorkflow(work, ask.workflowId);
  if (task && ask.workflowId !== undefined && task.workflowId !== ask.workflowId) {
    throw new Refusal("WORKFLOW_MISMATCH", "The task does not belong to that workstream.", "Name one of the two.");
  }
  const place = { id: task?.id ?? null, workflowId: task?.workflowId ?? ask.workflowId ?? null };
  return writeNote(work, place, {
    kind: ask.kind,
    summary: ask.text,
    detail: null,
    files: [],
    needsHuman: ask.kind === "blocker",
  });
}
