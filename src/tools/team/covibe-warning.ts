import { defineDoor } from "../define.ts";
import { withBudgetNotice } from "./budget-notice.ts";
import { teamTool } from "./team-tool.ts";
import dismiss from "./warning/dismiss.ts";

export default withBudgetNotice(
  defineDoor({
    ...teamTool,
    name: "covibe_warning",
    title: "Warnings",
    summary: "Put aside a warning about overlapping work that came from a check of your own.",
    operations: { dismiss },
  }),
);
