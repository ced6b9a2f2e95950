import { defineDoor } from "../define.ts";
import { withBudgetNotice } from "./budget-notice.ts";
import { teamTool } from "./team-tool.ts";
import cancel from "./workstream/cancel.ts";
import check from "./workstream/check.ts";
import complete from "./workstream/complete.ts";
import plan from "./workstream/plan.ts";
import start from "./workstream/start.ts";
import startPlanned from "./workstream/start-planned.ts";
import update from "./workstream/update.ts";

export default withBudgetNotice(
  defineDoor({
    ...teamTool,
    name: "covibe_workstream",
    title: "Workstreams",
    summary: "Check for duplicates, then plan, start, update, complete or cancel a body of work that holds tasks.",
    guidance:
      "Always check before you start. A task without workstream_id gets a workstream by itself, so make one only for work of several tasks.",
    operations: { check, plan, start, start_planned: startPlanned, update, complete, cancel },
  }),
);
