import { z } from "zod";
import { completeTask } from "../../../domain/ending/team-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { SessionId, TaskRef } from "../voice/words.ts";
import { taskRecord } from "../voice/work.ts";
import { ResultSummary } from "../voice/work-words.ts";

const next = "Call covibe_task with operation check for what you do next, or covibe_session with operation end.";

export default defineTool({
  name: "complete",
  family: "team",
  title: "Complete a task",
  summary: "Complete a task with its outcome.",
  keywords: "done finish close mark completed result",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    task_id: TaskRef,
    result_summary: ResultSummary,
    summary: z.string().trim().max(20_000).optional().describe("Not needed: result_summary is what counts."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "TASK_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_TRANSITION"],
  examples: [
    {
      title: "done",
      input: { task_id: "$team_task", result_summary: "The seat map fits every screen.", session_id: "$session" },
    },
  ],
  async handle(input, work) {
    const completed = await completeTask(work, {
      taskId: input.task_id,
      sessionId: input.session_id,
      resultSummary: input.result_summary,
    });
    if (completed.isRepeated) {
      return warn(input.task_id, {
        message: "The task was completed before. Nothing was changed.",
        data: { code: "ALREADY_COMPLETED", task_id: input.task_id, task: taskRecord(completed) },
        next,
      });
    }
    return tell({
      message: "The task is done.",
      data: { task_id: input.task_id, task: taskRecord(completed) },
      next,
    });
  },
});
