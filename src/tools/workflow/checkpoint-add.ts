import { z } from "zod";
import { NoteId, TaskId } from "../../contract/ids.ts";
import { addNote } from "../../domain/note/operations.ts";
import { defineTool } from "../define.ts";
import { Fence, Names } from "./voice/work.ts";

export default defineTool({
  name: "checkpoint_add",
  family: "workflow",
  title: "Add a checkpoint",
  summary: "Save where you are in a task, so that you or another agent can continue.",
  guidance: "Add one at every step, decision and error; task_load_context brings them back after a cleared context.",
  keywords: "save progress note step where i am",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task."),
    type: z
      .enum(["plan", "progress", "decision", "error", "recovery", "complete"])
      .describe("What kind of note it is."),
    summary: z.string().trim().min(1).max(10_000).describe("In one or two sentences."),
    detail: z.record(z.string(), z.unknown()).optional().describe("More detail."),
    files_changed: Names.default([]).describe("Files touched since the last one."),
    fence: Fence,
  }),
  output: z.object({ id: NoteId, sequence: z.number().int() }),
  refusals: ["TASK_NOT_FOUND", "FORBIDDEN", "NOT_CLAIMED", "TOO_LARGE"],
  examples: [{ title: "a step", input: { task_id: "$task", type: "progress", summary: "Wrote the parser." } }],
  async handle(input, work) {
    const note = await addNote(work, input.task_id, {
      kind: input.type,
      summary: input.summary,
      detail: input.detail ?? null,
      files: input.files_changed,
      fence: input.fence,
    });
    return { id: note.id, sequence: note.sequence };
  },
});
