import { z } from "zod";
import { writeWeek } from "../../../domain/context/team-week-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { summaryRecord } from "../voice/summary.ts";
import { SessionId } from "../voice/words.ts";

export default defineTool({
  name: "generate_weekly_summary",
  family: "team",
  title: "Generate the weekly summary",
  summary: "Tell the team's last seven days as Markdown and as data, and keep it.",
  keywords: "weekly report digest week",
  effect: "create",
  callers: ["agent"],
  input: z.object({ session_id: SessionId.optional() }),
  output: TeamAnswer,
  refusals: ["FORBIDDEN", "SESSION_NOT_FOUND", "INVALID_STATE"],
  examples: [{ title: "at the end of a week", input: {} }],
  async handle({ session_id }, work) {
    const report = await writeWeek(work, session_id);
    return tell({ message: "The week is written.", data: summaryRecord(report, await readViewer(work)) });
  },
});
