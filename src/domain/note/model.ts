import { z } from "zod";
import { DeveloperId, NoteId, TaskId, WorkflowId } from "../../contract/ids.ts";

/** One noun for what families call checkpoints, decisions, blockers, issues and milestones (TN1, MI14). */
export const noteKinds = [
  "plan",
  "progress",
  "decision",
  "error",
  "recovery",
  "complete",
  /** Written by the server alone (NT2). */
  "replan",
  "blocker",
  "issue",
  "milestone",
] as const;

export const Note = z.object({
  id: NoteId,
  workflowId: WorkflowId.nullable(),
  taskId: TaskId.nullable(),
  developerId: DeveloperId,
  kind: z.enum(noteKinds),
  /** Counts up within a task; 0 outside one. */
  sequence: z.number().int(),
  summary: z.string(),
  detail: z.record(z.string(), z.unknown()).nullable(),
  files: z.array(z.string()),
  /** Belongs to a plan that was given up; never brought back as something to go on from (CX6). */
  isSuperseded: z.boolean(),
  /** Waits until a person has looked at it. */
  needsHuman: z.boolean(),
  resolvedAt: z.number().nullable(),
  createdAt: z.number(),
});
export type Note = z.infer<typeof Note>;
export type NoteKind = Note["kind"];
