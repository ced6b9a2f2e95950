import { defineDoor } from "../define.ts";
import { withBudgetNotice } from "./budget-notice.ts";
import cancel from "./task/cancel.ts";
import check from "./task/check.ts";
import complete from "./task/complete.ts";
import plan from "./task/plan.ts";
import start from "./task/start.ts";
import startPlanned from "./task/start-planned.ts";
import update from "./task/update.ts";
import { teamTool } from "./team-tool.ts";

export default withBudgetNotice(
  defineDoor({
    ...teamTool,
    name: "covibe_task",
    title: "Tasks",
    summary: "Check for duplicates, then plan, start, update, complete or cancel a task.",
    guidance:
      "Always check before you start: the start is refused without one. feedback.required_action says what to call next.",
    operations: { check, plan, start, start_planned: startPlanned, update, complete, cancel },
  }),
);
