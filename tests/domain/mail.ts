import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";

export interface MessageRecord {
  id: string;
  thread_id: string;
  recipient_id: string;
  status: string;
}

export interface Mailbox {
  messages: MessageRecord[];
  unread_count: number;
}

/** Sends a message of which only what matters to the test is said. */
export const send = (
  house: TestHouse,
  from: string,
  to: string,
  ask: Record<string, unknown> = {},
  caller?: Caller,
): Promise<{ id: string; thread_id: string }> =>
  house.call(
    "message_send",
    { sender_id: from, recipient_id: to, message_type: "notification", body: "Hello", ...ask },
    caller,
  );

export const mailbox = (
  house: TestHouse,
  agentId: string,
  ask: Record<string, unknown> = {},
  caller?: Caller,
): Promise<Mailbox> => house.call("message_list", { agent_id: agentId, ...ask }, caller);

export const idsIn = (box: Mailbox): string[] => box.messages.map((message) => message.id);
