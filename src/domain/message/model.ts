import { z } from "zod";
import { AgentId, MessageId, TaskId, ThreadId, WorkflowId } from "../../contract/ids.ts";
import { messageStatuses, messageTypes, priorities } from "../../contract/words.ts";

/** What an agent writes: plain text, or an object whose keys the two sides have agreed on. */
export const Body = z.union([z.string().min(1), z.record(z.string(), z.unknown())]);
export type Body = z.infer<typeof Body>;

export const Message = z.object({
  id: MessageId,
  /** Null for what the server itself says. */
  senderId: AgentId.nullable(),
  recipientId: AgentId,
  threadId: ThreadId,
  replyToId: MessageId.nullable(),
  messageType: z.enum(messageTypes),
  subject: z.string().nullable(),
  body: Body,
  priority: z.enum(priorities),
  status: z.enum(messageStatuses),
  workflowId: WorkflowId.nullable(),
  taskId: TaskId.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Message = z.infer<typeof Message>;
export type Priority = Message["priority"];
export type MessageStatus = Message["status"];

export interface MessageFilter {
  readonly statuses: readonly MessageStatus[];
  readonly messageTypes?: readonly Message["messageType"][] | undefined;
  readonly priorities?: readonly Priority[] | undefined;
  readonly workflowId?: WorkflowId | undefined;
  readonly threadId?: ThreadId | undefined;
  /** Strictly newer than this moment. */
  readonly since?: number | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}
