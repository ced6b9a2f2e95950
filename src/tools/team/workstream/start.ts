import { z } from "zod";
import { startWorkstream } from "../../../domain/overlap/start-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer } from "../voice/answer.ts";
import { sayBlocked } from "../voice/gate.ts";
import { sayWorkstreamStarted } from "../voice/start.ts";
import { aboutWork, Priority, startKeys } from "../voice/work-words.ts";
import { aimFrom, keysFrom, lookForLike } from "../work-aim.ts";

export default defineTool({
  name: "start",
  family: "team",
  title: "Start a workstream",
  summary: "Begin a workstream that was checked; the gate is the same as for tasks.",
  keywords: "begin group several tasks together",
  effect: "create",
  callers: ["agent"],
  input: z.object({ ...aboutWork, priority: Priority.optional(), ...startKeys }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "after a check", input: { title: "$checked_workstream", session_id: "$session" } }],
  observe: (input, look) => lookForLike(look, aimFrom("workstream", input)),
  async handle(input, work, like) {
    const started = await startWorkstream(work, { aim: aimFrom("workstream", input), keys: keysFrom(input) }, like);
    return started.kind === "started"
      ? sayWorkstreamStarted(work, started)
      : sayBlocked(work, { kind: "workstream", plannedId: null }, started);
  },
});
