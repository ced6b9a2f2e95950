import { z } from "zod";
import { cancelTask } from "../../../domain/ending/team-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { SessionId, TaskRef } from "../voice/words.ts";
import { taskRecord } from "../voice/work.ts";
import { Reason } from "../voice/work-words.ts";

const next = "Call covibe_task with operation check for what you do instead.";

export default defineTool({
  name: "cancel",
  family: "team",
  title: "Cancel a task",
  summary: "Give up a task that is not done, and say why.",
  keywords: "drop abandon stop discard unneeded",
  effect: "change",
  callers: ["agent"],
  input: z.object({ task_id: TaskRef, reason: Reason, session_id: SessionId.optional() }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "TASK_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_TRANSITION"],
  examples: [
    { title: "not needed", input: { task_id: "$team_task", reason: "Bob has it already.", session_id: "$session" } },
  ],
  async handle(input, work) {
    const cancelled = await cancelTask(work, {
      taskId: input.task_id,
      sessionId: input.session_id,
      reason: input.reason,
    });
    if (cancelled.isRepeated) {
      return warn(input.task_id, {
        message: "The task was cancelled before. Nothing was changed.",
        data: { code: "ALREADY_CANCELLED", task_id: input.task_id, task: taskRecord(cancelled) },
        next,
      });
    }
    return tell({
      message: "Task cancelled.",
      data: { task_id: input.task_id, task: taskRecord(cancelled) },
      next,
    });
  },
});
