import { defineDoor } from "../define.ts";
import { withBudgetNotice } from "./budget-notice.ts";
import { teamTool } from "./team-tool.ts";
import dismiss from "./warning/dismiss.ts";

export default withBudgetNotice(
  defineDoor({
    ...teamTool,
    name: "covibe_warning",
    title: "Warnings",
    summary: "Dismiss a warning about overlapping work from one of your checks.",
    operations: { dismiss },
  }),
);
