import { z } from "zod";
import { AgentId, MessageId, WorkflowId } from "../../contract/ids.ts";
import { Body } from "../../domain/message/model.ts";
import { broadcastMessage } from "../../domain/message/operations.ts";
import { defineTool } from "../define.ts";
import { checkReferences } from "./references.ts";
import { Priority, Role } from "./voice/answer.ts";

export default defineTool({
  name: "message_broadcast",
  family: "workflow",
  title: "Broadcast a message",
  summary: "Write to every live agent, or to those that match a filter.",
  keywords: "everyone all notify announce",
  effect: "create",
  actor: { key: "sender_id" },
  callers: ["agent"],
  input: z.object({
    sender_id: AgentId.describe("Your agent id."),
    recipient_filter: z
      .strictObject({
        role: Role.optional(),
        status: z.enum(["online", "busy"]).optional().describe("Only agents with this status."),
        runtime: z.string().min(1).max(100).optional().describe("Only agents of this runtime."),
      })
      .default({})
      .describe("Who receives it; everyone but you by default."),
    message_type: z.enum(["notification", "status_update"]).describe("What kind of message it is."),
    subject: z.string().max(500).optional().describe("One line."),
    body: Body.describe("Text, or an object you have agreed on."),
    priority: Priority.default("normal"),
    workflow_id: WorkflowId.optional().describe("The workflow it is about."),
  }),
  output: z.object({ sent_count: z.number().int(), message_ids: z.array(MessageId) }),
  refusals: ["SENDER_NOT_FOUND", "WORKFLOW_NOT_FOUND", "FORBIDDEN", "TOO_LARGE"],
  examples: [
    { title: "to everyone", input: { sender_id: "$agent", message_type: "notification", body: "Main is frozen." } },
  ],
  async handle(input, work) {
    await checkReferences(work, { workflow: input.workflow_id });
    const { role, status, runtime } = input.recipient_filter;
    const sent = await broadcastMessage(
      work,
      {
        senderId: input.sender_id,
        messageType: input.message_type,
        subject: input.subject ?? null,
        body: input.body,
        priority: input.priority,
        workflowId: input.workflow_id ?? null,
        taskId: null,
      },
      { ...(role && { role }), ...(status && { status }), ...(runtime && { runtime }) },
    );
    return { sent_count: sent.length, message_ids: sent.map((message) => message.id) };
  },
});
