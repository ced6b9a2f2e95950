import { z } from "zod";
import { logActivity } from "../../../domain/agent/session-report-operations.ts";
import { defineTool } from "../../define.ts";
import { timeOf } from "../../time.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { RepoPath, SessionId } from "../voice/words.ts";
import { SummaryLine } from "./summary.ts";

const mostCounters = 20;

export default defineTool({
  name: "activity",
  family: "team",
  title: "Log one step",
  summary: "Add one short line to what your session has done.",
  keywords: "log step line diary",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    session_id: SessionId,
    kind: z.enum(["tool", "edit", "test", "commit", "note"]).describe("What was done."),
    summary: SummaryLine,
    files: z.array(RepoPath).max(50).optional().describe("The files it was about."),
    counters: z
      .record(z.string().min(1).max(60), z.number().min(0).max(1e15))
      .refine((counters) => Object.keys(counters).length <= mostCounters, `at most ${mostCounters} counters`)
      .optional()
      .describe("Numbers worth keeping, e.g. passed: 12."),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [
    {
      title: "tests were run",
      input: { session_id: "$session", kind: "test", summary: "Ran the unit tests.", counters: { passed: 12 } },
    },
  ],
  async handle({ session_id, kind, summary, files = [], counters = {} }, work) {
    await logActivity(work, session_id, { kind, summary, files, counters });
    return tell({ message: "The step is logged.", data: { session_id, kind, logged_at: timeOf(work.now) } });
  },
});
