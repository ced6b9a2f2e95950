import { z } from "zod";
import { writeWeek } from "../../../domain/context/team-week-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { SummaryRecord, summaryRecord } from "../../team/voice/summary.ts";

export default defineTool({
  name: "summary_create",
  family: "person",
  title: "Generate the weekly summary",
  summary: "Tell the team's last seven days as Markdown and as data, and keep it.",
  effect: "create",
  callers: ["agent"],
  input: z.object({}),
  output: z.object({ summary: SummaryRecord }),
  routes: [{ method: "POST", path: "/api/summary" }],
  refusals: [],
  examples: [{ title: "the last seven days", input: {} }],
  async handle(_input, work) {
    const report = await writeWeek(work);
    return { summary: summaryRecord(report, await readViewer(work)) };
  },
});
