import { z } from "zod";
import { DeveloperId, FindingId, NoteId, TaskId, WorkflowId } from "../../contract/ids.ts";
import { noteKinds } from "../../contract/words.ts";

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
  /** The finding it decides about. */
  findingId: FindingId.nullable(),
  createdAt: z.number(),
});
export type Note = z.infer<typeof Note>;
export type NoteKind = Note["kind"];
