import { z } from "zod";
import { NoteId, TaskId } from "../../contract/ids.ts";
import { replanWithNote } from "../../domain/note/operations.ts";
import { defineTool } from "../define.ts";
import { TaskPlanInput } from "./voice/task-plan-input.ts";
import { sayTask } from "./voice/words.ts";
import { Fence } from "./voice/work.ts";

export default defineTool({
  name: "task_replan",
  family: "workflow",
  title: "Replan a task",
  summary: "Restart a failed or running task with a new plan.",
  guidance: "Notes from the old plan stay in the history but are not loaded as context.",
  keywords: "start over again retry scratch another approach",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    id: TaskId.describe("The task."),
    reason: z.string().trim().min(1).max(5_000).describe("Why the old plan was given up."),
    new_plan: TaskPlanInput.describe("The plan from now on."),
    fence: Fence,
  }),
  output: z.object({ success: z.literal(true), checkpoint_id: NoteId }),
  refusals: ["TASK_NOT_FOUND", "FORBIDDEN", "INVALID_TRANSITION", "NOT_CLAIMED"],
  examples: [
    {
      title: "another approach",
      input: { id: "$running", reason: "The library is gone", new_plan: { approach: "By hand", steps: ["Write it"] } },
    },
  ],
  async handle({ id, reason, new_plan: plan, fence }, work) {
    const note = await replanWithNote(work, id, { reason, plan, say: sayTask, fence });
    return { success: true as const, checkpoint_id: note.id };
  },
});
