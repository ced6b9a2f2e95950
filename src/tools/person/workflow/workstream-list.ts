import { z } from "zod";
import { listNamedWorkstreams } from "../../../domain/intent/workstream-operations.ts";
import { defineTool } from "../../define.ts";
import { workstreamRecord } from "../../team/voice/work.ts";

const WorkstreamRecord = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  repo: z.string().nullable(),
  branch: z.string().nullable(),
  updated_at: z.string(),
});

/** Only one's own: a task cannot be put into anybody else's (TW18). */
export default defineTool({
  name: "workstream_list",
  family: "person",
  title: "List my open workstreams",
  summary: "See your own workstreams that take tasks, last changed first, without those the server made by itself.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    limit: z.number().int().min(1).max(500).default(200).describe("At most this many."),
  }),
  output: z.object({
    workstreams: z.array(WorkstreamRecord),
    truncated: z.boolean().describe("There are more than these."),
  }),
  refusals: [],
  examples: [{ title: "what a task can be put into", input: {} }],
  async handle({ limit }, work) {
    const found = await listNamedWorkstreams(work, limit + 1);
    return {
      workstreams: found.slice(0, limit).map((one) => WorkstreamRecord.parse(workstreamRecord(one))),
      truncated: found.length > limit,
    };
  },
});
