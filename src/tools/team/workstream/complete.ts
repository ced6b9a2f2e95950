import { z } from "zod";
import { completeWorkstream } from "../../../domain/intent/workstream-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { count } from "../voice/gate.ts";
import { SessionId, WorkstreamRef } from "../voice/words.ts";
import { workstreamRecord } from "../voice/work.ts";
import { ResultSummary } from "../voice/work-words.ts";

const next = "Call covibe_workstream or covibe_task with operation check for what you do next.";

export default defineTool({
  name: "complete",
  family: "team",
  title: "Complete a workstream",
  summary: "Complete a workstream with its outcome; open tasks in it must be confirmed.",
  keywords: "close finish done",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    workstream_id: WorkstreamRef,
    result_summary: ResultSummary,
    confirm_open_tasks: z.boolean().default(false).describe("End it although tasks in it are open; they stay open."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_TRANSITION"],
  examples: [
    {
      title: "done",
      input: { workstream_id: "$workstream", result_summary: "Ferries board offline.", session_id: "$session" },
    },
  ],
  async handle(input, work) {
    const { workstream_id: id } = input;
    const result = await completeWorkstream(work, {
      workflowId: id,
      sessionId: input.session_id,
      resultSummary: input.result_summary,
      confirmsOpenTasks: input.confirm_open_tasks,
    });
    if (result.kind === "repeated") {
      return warn(id, {
        message: "The workstream was completed before. Nothing was changed.",
        data: { code: "ALREADY_COMPLETED", workstream_id: id, workstream: workstreamRecord(result) },
        next,
      });
    }
    if (result.kind === "open-tasks") {
      return warn(id, {
        message: `${count(result.openTaskIds.length, "task")} in it ${result.openTaskIds.length === 1 ? "is" : "are"} open. Nothing was changed.`,
        data: { code: "OPEN_TASKS", workstream_id: id, open_task_ids: result.openTaskIds },
        next: `End them with covibe_task complete or cancel, or call covibe_workstream with operation complete, workstream_id ${id}, result_summary and confirm_open_tasks true.`,
      });
    }
    return tell({
      message: "The workstream is done.",
      data: { workstream_id: id, workstream: workstreamRecord(result), open_task_ids: result.openTaskIds },
      next,
    });
  },
});
