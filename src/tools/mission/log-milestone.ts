import { z } from "zod";
import { feedbackEvent } from "../../contract/event.ts";
import { NoteId, TaskId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { addNote } from "../../domain/note/operations.ts";
import { countNotes } from "../../domain/note/queries.ts";
import { defineTool } from "../define.ts";
import { checkTask } from "./references.ts";
import { Time, timeOf } from "./voice/answer.ts";

/** More than a few say nothing any more; far more are a loop. */
const advised = 5;
const most = 100;

export default defineTool({
  name: "log_milestone",
  family: "mission",
  title: "Log a milestone",
  summary: "Say in a few words how far a task is, for the people who watch.",
  guidance: "At most five for a task.",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task."),
    message: z.string().trim().min(1).max(500).describe("A short message."),
    progress: z.number().min(0).max(100).optional().describe("Per cent done, as a guess."),
    metadata: z.record(z.string(), z.unknown()).optional().describe("Anything else."),
  }),
  output: z.object({ milestone_id: NoteId, created_at: Time, warning: z.string().optional() }),
  refusals: ["NOT_FOUND", "FORBIDDEN", "VALIDATION_ERROR"],
  examples: [{ title: "half way", input: { task_id: "$mission_task", message: "Tests run.", progress: 50 } }],
  async handle({ task_id, message, progress, metadata }, work) {
    await checkTask(work, task_id);
    const before = await countNotes(work.db, task_id, "milestone");
    if (before >= most) {
      throw new Refusal(
        "VALIDATION_ERROR",
        `A task has at most ${most} milestones.`,
        "End the task, or write checkpoints.",
      );
    }
    const detail = { ...(progress === undefined ? {} : { progress }), ...(metadata === undefined ? {} : { metadata }) };
    const note = await addNote(work, task_id, { kind: "milestone", summary: message, detail, files: [] });
    const answer = { milestone_id: note.id, created_at: timeOf(note.createdAt) };
    if (before < advised) return answer;
    const warning = `This is milestone ${before + 1}; five for a task are enough.`;
    work.record(feedbackEvent("warning", task_id, { message: warning, required_action: null, code: null }));
    return { ...answer, warning };
  },
});
