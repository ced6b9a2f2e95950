import { z } from "zod";
import { findLatestWeek } from "../../../domain/context/team-week-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { SummaryRecord, summaryRecord } from "../../team/voice/summary.ts";

export default defineTool({
  name: "summary_get",
  family: "person",
  title: "Read the latest weekly summary",
  summary: "Read the week that was written last, as Markdown and as data.",
  effect: "read",
  callers: ["agent"],
  input: z.object({}),
  output: z.object({ summary: SummaryRecord.nullable().describe("Null while none was written.") }),
  routes: [{ method: "GET", path: "/api/summary" }],
  refusals: [],
  examples: [{ title: "the latest", input: {} }],
  async handle(_input, work) {
    const report = await findLatestWeek(work.db);
    return { summary: report ? summaryRecord(report, await readViewer(work)) : null };
  },
});
