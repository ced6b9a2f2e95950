import { z } from "zod";
import { NoteId, TaskId, WorkflowId } from "../../../contract/ids.ts";
import { noteKinds } from "../../../contract/words.ts";
import { listWorkflowNotes } from "../../../domain/note/queries.ts";
import { concealNotes } from "../../../domain/note/sight-operations.ts";
import { getSeenWorkflow } from "../../../domain/task/sight-operations.ts";
import { defineTool } from "../../define.ts";
import { Time, timeOf, timeOrNull } from "../../time.ts";

export default defineTool({
  name: "note_list",
  family: "person",
  title: "List a workflow's notes",
  summary: "See checkpoints, decisions, issues and milestones of all tasks of a workflow or mission, newest first.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    workflow_id: WorkflowId.describe("The workflow or mission."),
    kind: z.array(z.enum(noteKinds)).max(noteKinds.length).optional().describe("Only these kinds."),
    limit: z.number().int().min(1).max(2_000).default(500).describe("At most this many."),
  }),
  output: z.object({
    notes: z.array(
      z.object({
        id: NoteId,
        task_id: TaskId.nullable(),
        kind: z.enum(noteKinds),
        summary: z.string(),
        detail: z.record(z.string(), z.unknown()).nullable(),
        files: z.array(z.string()),
        superseded: z.boolean().describe("Belongs to a plan that was given up."),
        needs_human: z.boolean().describe("Waits until a person has looked at it."),
        resolved_at: Time.nullable(),
        created_at: Time,
      }),
    ),
  }),
  routes: [{ method: "GET", path: "/api/workflows/:id/notes", key: "workflow_id" }],
  refusals: ["WORKFLOW_NOT_FOUND"],
  examples: [{ title: "decisions only", input: { workflow_id: "$workflow", kind: ["decision"] } }],
  async handle({ workflow_id, kind, limit }, work) {
    const workflow = await getSeenWorkflow(work, workflow_id);
    const written = await listWorkflowNotes(work.db, { workflowId: workflow_id, kinds: kind ?? noteKinds, limit });
    const notes = await concealNotes(work, written, workflow);
    return {
      notes: notes.map((note) => ({
        id: note.id,
        task_id: note.taskId,
        kind: note.kind,
        summary: note.summary,
        detail: note.detail,
        files: note.files,
        superseded: note.isSuperseded,
        needs_human: note.needsHuman && note.resolvedAt === null,
        resolved_at: timeOrNull(note.resolvedAt),
        created_at: timeOf(note.createdAt),
      })),
    };
  },
});
