import { z } from "zod";
import { useNamedSession } from "../../../domain/agent/session-operations.ts";
import { getTeamStream, setStreamStatus } from "../../../domain/intent/stream-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell } from "../voice.ts";
import { SessionId, WorkstreamRef } from "../words.ts";
import { streamRecord } from "../work-voice.ts";

export default defineTool({
  name: "update",
  family: "team",
  title: "Update a workstream",
  summary: "Say that a started workstream is blocked or goes on.",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    workstream_id: WorkstreamRef,
    status: z.enum(["active", "blocked"]).describe("How started work stands."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_TRANSITION"],
  examples: [{ title: "it waits", input: { workstream_id: "$workstream", status: "blocked", session_id: "$session" } }],
  async handle(input, work) {
    await useNamedSession(work, input.session_id);
    const { workstream_id: id, status } = input;
    const changed = await setStreamStatus(work, await getTeamStream(work, id), status);
    return tell({
      message: `The workstream is ${changed.stream.status}.`,
      data: { workstream_id: id, workstream: streamRecord(changed) },
      next:
        status === "blocked"
          ? `Say what blocks it with covibe_note kind blocker; when it goes on, call covibe_workstream with operation update, workstream_id ${id} and status active.`
          : `When it is done, call covibe_workstream with operation complete, workstream_id ${id} and result_summary.`,
    });
  },
});
