import { z } from "zod";
import { AgentId } from "../../../contract/ids.ts";
import { readMail, readMailbox } from "../../../domain/message/operations.ts";
import { defineTool } from "../../define.ts";
import { MessageRecord, messageRecord } from "../../workflow/voice/answer.ts";
import { MailFilters, mailFilter, totalOf } from "../../workflow/voice/mail.ts";

export default defineTool({
  name: "mail_list",
  family: "person",
  title: "List the mail of your agents",
  summary: "Read what all of your agents sent and were sent, or one agent's mailbox, newest first.",
  effect: "read",
  actor: { key: "agent_id", isOnlyLookedAt: true },
  callers: ["agent"],
  input: z.object({
    agent_id: AgentId.optional().describe("Only this agent's mailbox; yours."),
    ...MailFilters.shape,
    status: MailFilters.shape.status.describe("Left out: unread of one agent, unread and read of all."),
    offset: z.number().int().min(0).default(0).describe("Skip this many."),
  }),
  output: z.object({ messages: z.array(MessageRecord), unread_count: z.number().int() }),
  routes: [{ method: "GET", path: "/api/messages" }],
  refusals: ["AGENT_NOT_FOUND", "FORBIDDEN"],
  examples: [
    { title: "one agent's", input: { agent_id: "$agent" } },
    { title: "everything", input: {} },
  ],
  async handle({ agent_id: agentId, offset, ...asked }, work) {
    const status = asked.status ?? (asked.thread_id === undefined ? "all" : undefined);
    const { messages, unread } =
      agentId === undefined
        ? await readMail(work, { ...mailFilter({ ...asked, status }), offset })
        : await readMailbox(work, { agentId, ...mailFilter(asked), offset });
    return { messages: messages.map(messageRecord), unread_count: totalOf(unread) };
  },
});
