import { z } from "zod";
import { NoteId, TaskId } from "../../contract/ids.ts";
import { Told } from "../../contract/told.ts";
import { addMilestone } from "../../domain/note/operations.ts";
import { defineTool } from "../define.ts";
import { checkTask } from "./references.ts";
import { Time, timeOf } from "./voice/answer.ts";

/** More than a few say nothing any more. */
const advised = 5;

export default defineTool({
  name: "log_milestone",
  family: "mission",
  title: "Log a milestone",
  summary: "Report a task's progress in a few words.",
  guidance: "At most five per task.",
  keywords: "progress tell people how far",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task."),
    message: z.string().trim().min(1).max(500).describe("A short message."),
    progress: z.number().min(0).max(100).optional().describe("Estimated percentage done."),
    metadata: z.record(z.string(), z.unknown()).optional().describe("Anything else."),
  }),
  output: z.object({ milestone_id: NoteId, created_at: Time, warning: z.string().optional() }),
  refusals: ["NOT_FOUND", "FORBIDDEN", "VALIDATION_ERROR"],
  examples: [{ title: "half way", input: { task_id: "$mission_task", message: "Tests run.", progress: 50 } }],
  async handle({ task_id, message, progress, metadata }, work) {
    await checkTask(work, task_id);
    const detail = { ...(progress === undefined ? {} : { progress }), ...(metadata === undefined ? {} : { metadata }) };
    const { note, count } = await addMilestone(work, task_id, { summary: message, detail });
    const answer = { milestone_id: note.id, created_at: timeOf(note.createdAt) };
    if (count <= advised) return answer;
    const warning = `This is milestone ${count}; five for a task are enough.`;
    return new Told({ ...answer, warning }, [
      { type: "warning", subject: task_id, message: warning, requiredAction: null, code: null },
    ]);
  },
});
