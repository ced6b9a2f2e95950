import { checkFits } from "../../contract/free-form.ts";
import type { AgentId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Body, Message, MessageStatus } from "./model.ts";

/** A message carries words, not files. */
export const longestBody = 256 * 1024;

export const checkBody = (body: Body): void => checkFits("body", body, longestBody);

/** More than this at once is not a conversation. */
export const largestAudience = 1_000;

export function checkAudience(size: number): void {
  if (size <= largestAudience) return;
  throw new Refusal(
    "TOO_LARGE",
    `More than ${largestAudience} agents would receive this.`,
    "Narrow recipient_filter by role, status or runtime.",
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
