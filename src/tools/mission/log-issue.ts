import { z } from "zod";
import { NoteId, TaskId } from "../../contract/ids.ts";
import { addNote } from "../../domain/note/operations.ts";
import { defineTool } from "../define.ts";
import { checkTask } from "./references.ts";
import { Time, timeOf } from "./voice/answer.ts";

const Text = z.string().trim().min(1).max(10_000);

export default defineTool({
  name: "log_issue",
  family: "mission",
  title: "Log an issue",
  summary: "Record a problem and how you handled it; one that needs a person blocks the mission until it is resolved.",
  keywords: "problem bug blocker needs a person human",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task it came up in."),
    type: z
      .enum(["documentation_gap", "bug_encountered", "dependency_conflict", "unclear_requirement", "other"])
      .describe("What kind of problem."),
    description: Text.describe("The problem."),
    resolution: Text.describe("What was done about it."),
    requires_human_review: z.boolean().default(false).describe("A person must look at it."),
  }),
  output: z.object({ issue_id: NoteId, created_at: Time }),
  refusals: ["NOT_FOUND", "FORBIDDEN"],
  examples: [
    {
      title: "a gap",
      input: {
        task_id: "$mission_task",
        type: "documentation_gap",
        description: "The limits are not documented.",
        resolution: "Measured them.",
      },
    },
  ],
  async handle({ task_id, type, description, resolution, requires_human_review }, work) {
    await checkTask(work, task_id);
    const note = await addNote(work, task_id, {
      kind: "issue",
      summary: description,
      detail: { type, resolution },
      files: [],
      needsHuman: requires_human_review,
    });
    return { issue_id: note.id, created_at: timeOf(note.createdAt) };
  },
});
