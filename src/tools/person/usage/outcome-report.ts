import { z } from "zod";
import { outcomeGroupings } from "../../../contract/words.ts";
import { reportOutcomes } from "../../../domain/context/outcome-operations.ts";
import { defineTool } from "../../define.ts";
import { OutcomeRecord, outcomeRecord } from "../voice/outcome.ts";

const Moment = z.iso.datetime({ offset: true });
const monthMs = 30 * 24 * 3_600_000;

export default defineTool({
  name: "outcome_report",
  family: "person",
  title: "Report cost per reproduced result",
  summary: "See what reproduced results cost, and what was spent on tasks that were cancelled or failed.",
  effect: "read",
  callers: ["person"],
  input: z.object({
    group_by: z.enum(outcomeGroupings).default("model").describe("What to put together."),
    since: Moment.optional().describe("From this moment on; thirty days before the end if left out."),
    until: Moment.optional().describe("Before this moment; now if left out."),
    limit: z.number().int().min(1).max(500).default(100).describe("At most this many groups, dearest first."),
  }),
  output: z.object({
    group_by: z.enum(outcomeGroupings),
    since: z.string(),
    until: z.string(),
    groups: z.array(OutcomeRecord),
    total: OutcomeRecord.nullable().describe("Null where nothing was used and nothing reproduced."),
    truncated: z.boolean().describe("There are more groups, or more was used than is added up."),
  }),
  refusals: [],
  examples: [{ title: "by week", input: { group_by: "week" } }],
  async handle({ group_by, limit, ...input }, work) {
    const until = input.until === undefined ? work.now + 1 : Date.parse(input.until);
    const since = input.since === undefined ? until - monthMs : Date.parse(input.since);
    const { groups, total, isCut } = await reportOutcomes(work, { by: group_by, since, until, limit });
    return {
      group_by,
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
      groups: groups.map(outcomeRecord),
      total: total === undefined ? null : outcomeRecord(total),
      truncated: isCut,
    };
  },
});
