import { z } from "zod";
import { addTeamNote } from "../../domain/note/team-operations.ts";
import { defineTool } from "../define.ts";
import { timeOf } from "../time.ts";
import { withBudgetNotice } from "./budget-notice.ts";
import { teamTool } from "./team-tool.ts";
import { tell } from "./voice/answer.ts";
import { SessionId, TaskRef, WorkstreamRef } from "./voice/words.ts";

export default withBudgetNotice(
  defineTool({
    name: "covibe_note",
    ...teamTool,
    title: "Note a decision or a blocker",
    summary: "Record a decision or a blocker for the team and later agents.",
    guidance: "A blocker stays open until a person resolves it.",
    keywords: "decision blocker risk remark leave write record note for the team",
    effect: "create",
    callers: ["agent"],
    input: z.object({
      kind: z.enum(["decision", "blocker"]).describe("Which of the two it is."),
      text: z.string().trim().min(1).max(10_000).describe("What was decided and why, or what is in the way."),
      task_id: TaskRef.optional(),
      workstream_id: WorkstreamRef.optional(),
      session_id: SessionId.optional(),
    }),
    refusals: [
      "TASK_NOT_FOUND",
      "WORKFLOW_NOT_FOUND",
      "WORKFLOW_MISMATCH",
      "SESSION_NOT_FOUND",
      "FORBIDDEN",
      "INVALID_STATE",
    ],
    examples: [
      {
        title: "a decision",
        input: {
          kind: "decision",
          text: "Pages are keyed by id: offsets get slow.",
          task_id: "$task",
          session_id: "$session",
        },
      },
    ],
    async handle({ kind, text, task_id, workstream_id, session_id }, work) {
      const note = await addTeamNote(work, {
        kind,
        text,
        taskId: task_id,
        workflowId: workstream_id,
        sessionId: session_id,
      });
      return tell({
        message: kind === "decision" ? "The decision is noted." : "The blocker is noted and stays open.",
        data: {
          note_id: note.id,
          kind,
          task_id: note.taskId,
          workstream_id: note.workflowId,
          created_at: timeOf(note.createdAt),
        },
        next:
          kind === "blocker" && task_id !== undefined
            ? "If the work cannot go on, call covibe_task with operation update and status blocked."
            : null,
      });
    },
  }),
);
