import { z } from "zod";
import { cancelWorkstream } from "../../../domain/intent/workstream-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { SessionId, WorkstreamRef } from "../voice/words.ts";
import { workstreamRecord } from "../voice/work.ts";
import { Reason } from "../voice/work-words.ts";

const next = "Call covibe_workstream with operation check for what you do instead.";

export default defineTool({
  name: "cancel",
  family: "team",
  title: "Cancel a workstream",
  summary: "Give up a workstream that is only planned, and say why.",
  effect: "change",
  callers: ["agent"],
  input: z.object({ workstream_id: WorkstreamRef, reason: Reason, session_id: SessionId.optional() }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_TRANSITION"],
  examples: [
    {
      title: "not needed",
      input: { workstream_id: "$planned_workstream", reason: "The season was called off.", session_id: "$session" },
    },
  ],
  async handle(input, work) {
    const { workstream_id: id, session_id: sessionId, reason } = input;
    const cancelled = await cancelWorkstream(work, { workflowId: id, sessionId, reason });
    if (cancelled.kind === "repeated") {
      return warn(id, {
        message: "The workstream was cancelled before. Nothing was changed.",
        data: { code: "ALREADY_CANCELLED", workstream_id: id, workstream: workstreamRecord(cancelled) },
        next,
      });
    }
    return tell({
      message: "The workstream is given up.",
      data: { workstream_id: id, workstream: workstreamRecord(cancelled) },
      next,
    });
  },
});
