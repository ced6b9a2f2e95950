import { z } from "zod";
import { AgentId, MessageId, TaskId, ThreadId, WorkflowId } from "../../contract/ids.ts";
import { Body } from "../../domain/message/model.ts";
import { sendMessage } from "../../domain/message/operations.ts";
import { defineTool } from "../define.ts";
import { checkReferences } from "./references.ts";
import { MessageType, Priority } from "./voice/answer.ts";

const isOffline =
  "The recipient is offline. The message is in its mailbox; it won't be read until the agent registers again.";

export default defineTool({
  name: "message_send",
  family: "workflow",
  title: "Send a message",
  summary: "Send a message to another agent, which reads it with message_list.",
  guidance: "Pass reply_to_id to answer in a thread.",
  keywords: "write reply mail dm another agent",
  effect: "create",
  actor: { key: "sender_id" },
  callers: ["agent"],
  input: z.object({
    sender_id: AgentId.describe("Your agent id."),
    recipient_id: AgentId.describe("The agent to write to."),
    message_type: MessageType,
    subject: z.string().max(500).optional().describe("One line."),
    body: Body.describe("Text, or an object you have agreed on."),
    priority: Priority.default("normal"),
    workflow_id: WorkflowId.optional().describe("The workflow it is about."),
    task_id: TaskId.optional().describe("The task it is about."),
    reply_to_id: MessageId.optional().describe("The message it answers."),
  }),
  output: z.object({
    id: MessageId,
    thread_id: ThreadId,
    recipient_status: z.literal("offline").optional().describe("Only if the recipient is not there to read it."),
    notice: z.string().optional().describe("What that means for the message."),
  }),
  refusals: [
    "SENDER_NOT_FOUND",
    "RECIPIENT_NOT_FOUND",
    "MESSAGE_NOT_FOUND",
    "WORKFLOW_NOT_FOUND",
    "TASK_NOT_FOUND",
    "FORBIDDEN",
    "TOO_LARGE",
  ],
  examples: [
    {
      title: "a question",
      input: {
        sender_id: "$agent",
        recipient_id: "$peer",
        message_type: "query",
        subject: "Login form",
        body: "Are you changing the login form?",
      },
    },
  ],
  async handle(input, work) {
    await checkReferences(work, { task: input.task_id, workflow: input.workflow_id });
    const { message, recipientStatus } = await sendMessage(work, {
      senderId: input.sender_id,
      recipientId: input.recipient_id,
      messageType: input.message_type,
      subject: input.subject ?? null,
      body: input.body,
      priority: input.priority,
      workflowId: input.workflow_id ?? null,
      taskId: input.task_id ?? null,
      replyToId: input.reply_to_id ?? null,
    });
    return {
      id: message.id,
      thread_id: message.threadId,
      ...(recipientStatus === "offline" ? { recipient_status: recipientStatus, notice: isOffline } : {}),
    };
  },
});
