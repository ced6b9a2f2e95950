import { z } from "zod";
import { startPlannedTask } from "../../../domain/overlap/start-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer } from "../voice/answer.ts";
import { sayBlocked } from "../voice/gate.ts";
import { sayTaskStarted } from "../voice/start.ts";
import { SessionId, TaskRef } from "../voice/words.ts";
import { startKeys } from "../voice/work-words.ts";
import { keysFrom, lookForPlanned } from "../work-aim.ts";

export default defineTool({
  name: "start_planned",
  family: "team",
  title: "Start a planned task",
  summary: "Begin a task of your own that was planned and has just been checked.",
  effect: "change",
  callers: ["agent"],
  input: z.object({ task_id: TaskRef, session_id: SessionId.optional(), ...startKeys }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "TASK_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "TASK_BLOCKED"],
  examples: [{ title: "after a check", input: { task_id: "$planned_checked_task", session_id: "$session" } }],
  observe: ({ task_id }, look) => lookForPlanned(look, "task", task_id),
  async handle(input, work, like) {
    const ask = { id: input.task_id, sessionId: input.session_id ?? null, keys: keysFrom(input) };
    const started = await startPlannedTask(work, ask, like);
    return started.kind === "started"
      ? sayTaskStarted(work, started)
      : sayBlocked(work, { kind: "task", plannedId: input.task_id }, started);
  },
});
