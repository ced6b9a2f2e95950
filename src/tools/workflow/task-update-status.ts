import { z } from "zod";
import { TaskId } from "../../contract/ids.ts";
import { changeTaskStatus } from "../../domain/ending/status-operations.ts";
import { defineTool } from "../define.ts";
import { Success, success } from "./voice/answer.ts";
import { readTask, sayTask } from "./voice/words.ts";
import { Fence, TaskStatus } from "./voice/work.ts";

export default defineTool({
  name: "task_update_status",
  family: "workflow",
  title: "Change a task's status",
  summary: "Change a task's status: planning, in_progress, paused, completed, failed, skipped.",
  guidance:
    "For completed give the outcome, for failed the error. A refusal lists the valid next statuses; blocked follows from dependencies and is never set.",
  keywords: "in progress failed skip done mark paused",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    id: TaskId.describe("The task."),
    status: TaskStatus.describe("The new status."),
    outcome: z.string().trim().max(50_000).optional().describe("The outcome; required for completed."),
    outcome_detail: z.record(z.string(), z.unknown()).optional().describe("The same for programs."),
    error: z.string().trim().max(50_000).optional().describe("What went wrong; required for failed."),
    fence: Fence,
  }),
  output: Success,
  refusals: [
    "TASK_NOT_FOUND",
    "FORBIDDEN",
    "INVALID_TRANSITION",
    "TASK_BLOCKED",
    "MISSING_OUTCOME",
    "MISSING_ERROR",
    "NOT_CLAIMED",
    "TOO_LARGE",
  ],
  examples: [{ title: "begin to plan", input: { id: "$task", status: "planning" } }],
  async handle(input, work) {
    await changeTaskStatus(work, input.id, {
      to: readTask(input.status),
      outcome: input.outcome || undefined,
      outcomeDetail: input.outcome_detail,
      error: input.error || undefined,
      say: sayTask,
      fence: input.fence,
    });
    return success;
  },
});
