import { defineDoor } from "../define.ts";
import cancel from "./task/cancel.ts";
import check from "./task/check.ts";
import complete from "./task/complete.ts";
import plan from "./task/plan.ts";
import start from "./task/start.ts";
import startPlanned from "./task/start-planned.ts";
import update from "./task/update.ts";
import { TeamAnswer } from "./voice/answer.ts";

export default defineDoor({
  name: "covibe_task",
  family: "team",
  title: "Tasks",
  summary: "Check for duplicates, then plan, start, update, complete or cancel a task.",
  guidance:
    "Always check before you start: the start is refused without one. feedback.required_action says what to call next.",
  actorKey: "session_id",
  output: TeamAnswer,
  operations: { check, plan, start, start_planned: startPlanned, update, complete, cancel },
});
