import { z } from "zod";
import { ThreadId, WorkflowId } from "../../../contract/ids.ts";
import type { MessageFilter } from "../../../domain/message/model.ts";
import { millisecondOf } from "../../time.ts";
import { MessageType, Priority } from "./answer.ts";

/** Which messages are asked for, in this family's words. */
export const MailFilters = z.object({
  status: z
    .enum(["unread", "read", "archived", "all"])
    .optional()
    .describe("unread if left out; with thread_id, everything."),
  message_type: z.array(MessageType).min(1).max(10).optional().describe("Only these kinds."),
  priority: z.array(Priority).min(1).max(4).optional().describe("Only these priorities."),
  workflow_id: WorkflowId.optional().describe("Only about this workflow."),
  thread_id: ThreadId.optional().describe("All messages of a thread, both sides."),
  limit: z.number().int().min(1).max(200).default(20).describe("At most this many."),
  since: z.number().min(0).max(9_999_999_999).optional().describe("Only strictly newer; a Unix time in seconds."),
});

/** `all` means what is still in the mailbox: unread and read, but not archived (MS13). */
const statuses = {
  unread: ["unread"],
  read: ["read"],
  archived: ["archived"],
  all: ["unread", "read"],
} as const;

export function mailFilter(input: z.output<typeof MailFilters>): MessageFilter {
  const whole = input.thread_id === undefined ? statuses.unread : (["unread", "read", "archived"] as const);
  return {
    statuses: input.status === undefined ? whole : statuses[input.status],
    messageTypes: input.message_type,
    priorities: input.priority,
    workflowId: input.workflow_id,
    threadId: input.thread_id,
    since: input.since === undefined ? undefined : millisecondOf(input.since),
    limit: input.limit,
  };
}

export const totalOf = (unread: ReadonlyMap<unknown, number>): number =>
  [...unread.values()].reduce((sum, count) => sum + count, 0);
