import { z } from "zod";
import { AgentId } from "../../contract/ids.ts";
import { priorities } from "../../contract/words.ts";
import { countMailbox } from "../../domain/message/operations.ts";
import { defineTool } from "../define.ts";
import { Priority } from "./voice/answer.ts";

export default defineTool({
  name: "message_count_unread",
  family: "workflow",
  title: "Count unread messages",
  summary: "Count unread messages by priority, without reading them.",
  keywords: "how many new mail",
  effect: "read",
  actor: { key: "agent_id" },
  callers: ["agent"],
  input: z.object({
    agent_id: AgentId.describe("Your agent id."),
    priority: z.array(Priority).min(1).max(4).optional().describe("Count only these priorities."),
  }),
  output: z.object({
    count: z.number().int(),
    by_priority: z.record(z.string(), z.number().int()).describe("A number for each priority that was counted."),
  }),
  refusals: ["AGENT_NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "is anything urgent", input: { agent_id: "$agent", priority: ["urgent"] } }],
  async handle(input, work) {
    const unread = await countMailbox(work, input.agent_id);
    const asked = new Set(input.priority ?? priorities);
    const counted = [...asked].map((priority) => [priority, unread.get(priority) ?? 0] as const);
    return {
      count: counted.reduce((sum, [, count]) => sum + count, 0),
      by_priority: Object.fromEntries(counted),
    };
  },
});
