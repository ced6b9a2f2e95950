import { z } from "zod";
import { updateWorkstream } from "../../../domain/intent/workstream-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { SessionId, WorkstreamRef } from "../voice/words.ts";
import { workstreamRecord } from "../voice/work.ts";
import { Action, Component, Description, Priority, Scope, Title } from "../voice/work-words.ts";

export default defineTool({
  name: "update",
  family: "team",
  title: "Update a workstream",
  summary: "Say that a started workstream is blocked or goes on.",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    workstream_id: WorkstreamRef,
    status: z.enum(["active", "blocked"]).optional().describe("How started work stands."),
    title: Title.optional(),
    description: Description.optional(),
    scope: Scope.optional(),
    action: Action.optional(),
    component: Component.optional(),
    priority: Priority.optional(),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: [
    "SESSION_NOT_FOUND",
    "WORKFLOW_NOT_FOUND",
    "FORBIDDEN",
    "INVALID_STATE",
    "INVALID_INPUT",
    "INVALID_TRANSITION",
  ],
  examples: [{ title: "it waits", input: { workstream_id: "$workstream", status: "blocked", session_id: "$session" } }],
  async handle(input, work) {
    const { workstream_id: id, status, title, description, scope, action, component, priority } = input;
    const edits = { title, description, scope, action, component, priority };
    const updated = await updateWorkstream(work, { workflowId: id, sessionId: input.session_id, status, edits });
    const { refusedFields: fields } = updated;
    if (fields.length > 0) {
      return warn(id, {
        message: "What a workstream is about stays as it was checked. Nothing was changed.",
        data: { code: "NOT_EDITABLE", workstream_id: id, fields, workstream: workstreamRecord(updated) },
        next: `Go on with it, or check and plan what you mean instead with covibe_workstream.`,
      });
    }
    return tell({
      message: `The workstream is ${updated.workstream.status}.`,
      data: { workstream_id: id, workstream: workstreamRecord(updated) },
      next:
        status === "blocked"
          ? `Say what blocks it with covibe_note kind blocker; when it goes on, call covibe_workstream with operation update, workstream_id ${id} and status active.`
          : `When it is done, call covibe_workstream with operation complete, workstream_id ${id} and result_summary.`,
    });
  },
});
