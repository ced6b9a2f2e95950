import { z } from "zod";
import { AgentId, TaskId } from "../../../contract/ids.ts";
import { usageGroupings } from "../../../contract/words.ts";
import { Handle } from "../../../domain/person/model.ts";
import { provenances } from "../../../domain/usage/model.ts";
import { summariseUse } from "../../../domain/usage/summary-operations.ts";
import { defineTool } from "../../define.ts";
import { UseGroup, UseSum, useGroup, useSum, writeCsv } from "../voice/usage.ts";

const Moment = z.iso.datetime({ offset: true });
const monthMs = 30 * 24 * 3_600_000;

export default defineTool({
  name: "usage_report",
  family: "person",
  title: "Report usage and cost",
  summary:
    "See how many tokens were used and what they cost, by model, session, developer, repository, task, channel or day.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    group_by: z.enum(usageGroupings).default("model").describe("What to put together."),
    since: Moment.optional().describe("From this moment on; thirty days before the end if left out."),
    until: Moment.optional().describe("Before this moment; now if left out."),
    developer: Handle.optional().describe("Only this developer's."),
    session_id: AgentId.optional().describe("Only of this session."),
    task_id: TaskId.optional().describe("Only of this task."),
    repository: z.string().min(1).max(500).optional().describe("Only in this repository."),
    model: z.string().min(1).max(100).optional().describe("Only of this model."),
    provenance: z.enum(provenances).optional().describe("Only what can be relied on so far."),
    limit: z.number().int().min(1).max(1_000).default(100).describe("At most this many groups, dearest first."),
    format: z.enum(["json", "csv"]).default("json").describe("With csv the groups come as text too."),
  }),
  output: z.object({
    group_by: z.enum(usageGroupings),
    since: z.string(),
    until: z.string(),
    groups: z.array(UseGroup),
    total: UseSum,
    truncated: z.boolean().describe("There are more groups than these; the total has all."),
    excludes_private: z.boolean().describe("Private people are left out."),
    csv: z.string().optional().describe("The groups as a table with a heading."),
  }),
  routes: [{ method: "GET", path: "/api/usage/report" }],
  refusals: ["NOT_FOUND"],
  examples: [
    { title: "by model", input: {} },
    { title: "by day, as a table", input: { group_by: "day", format: "csv" } },
  ],
  async handle(input, work) {
    const until = input.until === undefined ? work.now + 1 : Date.parse(input.until);
    const since = input.since === undefined ? until - monthMs : Date.parse(input.since);
    const { groups, total, isCut, leavesOutPrivate } = await summariseUse(work, {
      by: input.group_by,
      since,
      until,
      developer: input.developer,
      sessionId: input.session_id,
      taskId: input.task_id,
      repo: input.repository,
      model: input.model,
      provenance: input.provenance,
      limit: input.limit,
    });
    return {
      group_by: input.group_by,
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
      groups: groups.map(useGroup),
      total: useSum(total),
      truncated: isCut,
      excludes_private: leavesOutPrivate,
      ...(input.format === "csv" ? { csv: writeCsv(groups.map(useGroup)) } : {}),
    };
  },
});
