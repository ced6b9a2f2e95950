import type { AgentId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Body, Message, MessageStatus } from "./model.ts";

/** A message carries words, not files. */
export const longestBody = 256 * 1024;

export function checkBody(body: Body): void {
  const size = Buffer.byteLength(typeof body === "string" ? body : JSON.stringify(body));
  if (size <= longestBody) return;
  throw new Refusal(
    "TOO_LARGE",
    `The body has ${size} bytes; at most ${longestBody} are kept.`,
    "Send a summary and name the file or record that holds the rest.",
  );
}

const order: readonly MessageStatus[] = ["unread", "read", "archived"];

/** A message only ever moves forward: unread, read, archived. Null means that nothing changes. */
export const decideMove = (message: Message, to: MessageStatus): MessageStatus | null =>
  order.indexOf(to) > order.indexOf(message.status) ? to : null;

/** Who may see a message: the two it is between. Everyone else is answered as if it did not exist. */
export const isBetween = (message: Message, agents: ReadonlySet<AgentId>): boolean =>
  agents.has(message.recipientId) || (message.senderId !== null && agents.has(message.senderId));

export function refuseUnknownMessages(ids: readonly string[]): never {
  throw new Refusal(
    "MESSAGE_NOT_FOUND",
    ids.length === 1 ? "No message of yours has that id." : `${ids.length} of these are no messages of yours.`,
    undefined,
    { message_ids: ids },
  );
}
