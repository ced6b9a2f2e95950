import { z } from "zod";
import { startPlannedWorkstream } from "../../../domain/overlap/start-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer } from "../voice/answer.ts";
import { sayBlocked } from "../voice/gate.ts";
import { sayWorkstreamStarted } from "../voice/start.ts";
import { SessionId, WorkstreamRef } from "../voice/words.ts";
import { startKeys } from "../voice/work-words.ts";
import { keysFrom, lookForPlanned } from "../work-aim.ts";

export default defineTool({
  name: "start_planned",
  family: "team",
  title: "Start a planned workstream",
  summary: "Begin a workstream of your own that was planned and has just been checked.",
  effect: "change",
  callers: ["agent"],
  input: z.object({ workstream_id: WorkstreamRef, session_id: SessionId.optional(), ...startKeys }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [
    { title: "after a check", input: { workstream_id: "$planned_checked_workstream", session_id: "$session" } },
  ],
  observe: ({ workstream_id }, look) => lookForPlanned(look, "workstream", workstream_id),
  async handle(input, work, like) {
    const ask = { id: input.workstream_id, sessionId: input.session_id ?? null, keys: keysFrom(input) };
    const started = await startPlannedWorkstream(work, ask, like);
    return started.kind === "started"
      ? sayWorkstreamStarted(work, started)
      : sayBlocked(work, { kind: "workstream", plannedId: input.workstream_id }, started);
  },
});
