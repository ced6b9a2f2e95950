import { defineDoor } from "../define.ts";
import { withBudgetNotice } from "./budget-notice.ts";
import auditParallelWork from "./team/audit-parallel-work.ts";
import feedback from "./team/feedback.ts";
import generateWeeklySummary from "./team/generate-weekly-summary.ts";
import state from "./team/state.ts";
import { teamTool } from "./team-tool.ts";

export default withBudgetNotice(
  defineDoor({
    ...teamTool,
    name: "covibe_team",
    title: "The team",
    summary:
      "See what the team is doing and what needs you, read earlier feedback, find duplicate work, generate the weekly summary.",
    guidance: "Call state before you plan or start something, and when you come back to it.",
    operations: {
      state,
      feedback,
      audit_parallel_work: auditParallelWork,
      generate_weekly_summary: generateWeeklySummary,
    },
  }),
);
