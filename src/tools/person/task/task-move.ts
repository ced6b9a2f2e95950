import { z } from "zod";
import { TaskId } from "../../../contract/ids.ts";
import { reorderTask } from "../../../domain/task/edit-operations.ts";
import { defineTool } from "../../define.ts";
import { Success, success } from "../../workflow/voice/answer.ts";

export default defineTool({
  name: "task_move",
  family: "person",
  title: "Move a task in its plan",
  summary: "Give a task another place in the order; what it waits for still comes first.",
  effect: "change",
  isRepeatable: true,
  callers: ["person"],
  input: z.object({
    id: TaskId.describe("The task."),
    sequence: z.number().int().min(0).max(1_000_000).describe("Its new place; parallel tasks share one."),
  }),
  output: Success,
  refusals: ["TASK_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "to the front", input: { id: "$task", sequence: 0 } }],
  async handle({ id, sequence }, work) {
    await reorderTask(work, id, sequence);
    return success;
  },
});
