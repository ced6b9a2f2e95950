import { z } from "zod";
import { NoteId, TaskId } from "../../contract/ids.ts";
import { addNote } from "../../domain/note/operations.ts";
import { defineTool } from "../define.ts";
import { checkTask } from "./references.ts";
import { Lines, Time, timeOf } from "./voice/answer.ts";

const Text = z.string().trim().min(1).max(5_000);

export default defineTool({
  name: "log_decision",
  family: "mission",
  title: "Log a decision",
  summary: "Record a decision that others will want to understand later.",
  guidance: "Use it for architecture, libraries, trade-offs and workarounds, not for variable names.",
  keywords: "choice why architecture library record",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task it was made in."),
    category: z
      .enum(["architecture", "library_choice", "trade_off", "workaround", "other"])
      .describe("What it is about."),
    question: Text.describe("What had to be decided."),
    options_considered: Lines.optional().describe("What was weighed."),
    chosen: Text.describe("What was chosen."),
    reasoning: Text.describe("Why, in one or two sentences."),
    trade_offs: z.string().max(5_000).optional().describe("What was accepted for it."),
  }),
  output: z.object({ decision_id: NoteId, created_at: Time }),
  refusals: ["NOT_FOUND", "FORBIDDEN"],
  examples: [
    {
      title: "a library",
      input: {
        task_id: "$mission_task",
        category: "library_choice",
        question: "Which parser?",
        chosen: "The built-in one",
        reasoning: "It is fast enough.",
      },
    },
  ],
  async handle({ task_id, ...detail }, work) {
    await checkTask(work, task_id);
    const summary = `${detail.question} ${detail.chosen}`;
    const note = await addNote(work, task_id, { kind: "decision", summary, detail, files: [] });
    return { decision_id: note.id, created_at: timeOf(note.createdAt) };
  },
});
