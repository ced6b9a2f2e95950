import type { AgentId, MessageId, ThreadId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Agent } from "../agent/model.ts";
import { checkOwner, getOwnAgent } from "../agent/operations.ts";
import { agentIdsOf, findAgent, listAgents } from "../agent/queries.ts";
import type { SystemWork, Work } from "../work.ts";
import { messageEvent } from "./events.ts";
import type { Message, MessageFilter, MessageStatus, Priority } from "./model.ts";
import { checkAudience, checkBody, decideMove, isBetween, largestAudience, refuseUnknownMessages } from "./rules.ts";
import {
  countUnread,
  countUnreadMail,
  findMessage,
  insertMessage,
  listMail,
  listMessages,
  listMessagesByIds,
  type MailboxFilter,
  saveMessage,
} from "./store.ts";

type Letter = Pick<Message, "senderId" | "messageType" | "subject" | "body" | "priority" | "workflowId" | "taskId">;

export async function sendMessage(
  work: Work,
  letter: Letter & { senderId: AgentId; recipientId: AgentId; replyToId: MessageId | null },
): Promise<{ readonly message: Message; readonly recipientStatus: Agent["status"] }> {
  checkBody(letter.body);
  await getSender(work, letter.senderId);
  const recipient = await findAgent(work.db, letter.recipientId);
  if (!recipient) throw new Refusal("RECIPIENT_NOT_FOUND", "The recipient does not exist.");
  const answered = letter.replyToId === null ? null : await getVisible(work, letter.replyToId);
  const message = await deliver(work, letter, answered?.threadId ?? work.newId("thread"));
  return { message, recipientStatus: recipient.status };
}

type Audience = { readonly role?: Agent["role"]; readonly status?: Agent["status"]; readonly runtime?: string };

/** One letter to every live agent that fits, the sender apart, all in one thread. */
export async function broadcastMessage(
  work: Work,
  letter: Letter & { senderId: AgentId },
  audience: Audience,
): Promise<Message[]> {
  checkBody(letter.body);
  await getSender(work, letter.senderId);
  const { status, role, runtime } = audience;
  const fitting = await listAgents(work.db, {
    status: status === undefined ? ["online", "busy"] : [status],
    role,
    runtime,
    limit: largestAudience + 2,
  });
  const recipients = fitting.filter((agent) => agent.id !== letter.senderId);
  checkAudience(recipients.length);
  const threadId = work.newId("thread");
  const sent: Message[] = [];
  for (const recipient of recipients) {
    sent.push(await deliver(work, { ...letter, recipientId: recipient.id, replyToId: null }, threadId));
  }
  return sent;
}

/** What the house or a reviewer says to an agent: no caller stands behind it. */
export async function sendWord(
  work: SystemWork,
  word: Pick<Message, "senderId" | "recipientId" | "subject" | "body" | "priority">,
): Promise<void> {
  const none = { messageType: "notification", workflowId: null, taskId: null, replyToId: null } as const;
  await deliver(work, { ...none, ...word }, work.newId("thread"));
}

async function deliver(
  work: SystemWork,
  letter: Letter & { recipientId: AgentId; replyToId: MessageId | null },
  threadId: ThreadId,
): Promise<Message> {
  const message: Message = {
    ...letter,
    id: work.newId("message"),
    threadId,
    status: "unread",
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertMessage(work.db, message);
  const { senderId, recipientId, messageType, priority } = message;
  const channels = [`agent:${recipientId}`, ...(senderId === null ? [] : [`agent:${senderId}`])];
  work.record(
    messageEvent.sent(
      message.id,
      {
        sender_id: senderId,
        recipient_id: recipientId,
        thread_id: threadId,
        message_type: messageType,
        priority,
      },
      channels,
    ),
  );
  return message;
}

export async function readMailbox(
  work: Work,
  filter: MailboxFilter,
): Promise<{ messages: Message[]; unread: ReadonlyMap<Priority, number> }> {
  await getOwnAgent(work, filter.agentId);
  return { messages: await listMessages(work.db, filter), unread: await countUnread(work.db, filter.agentId) };
}

/** The mail of all of the caller's agents, what they sent included. */
export async function readMail(
  work: Work,
  filter: MessageFilter,
): Promise<{ messages: Message[]; unread: ReadonlyMap<Priority, number> }> {
  const agents = agentIdsOf(work.db, work.caller.developerId);
  return { messages: await listMail(work.db, agents, filter), unread: await countUnreadMail(work.db, agents) };
}

export async function countMailbox(work: Work, agentId: AgentId): Promise<ReadonlyMap<Priority, number>> {
  await getOwnAgent(work, agentId);
  return countUnread(work.db, agentId);
}

/** Reads one message; only the recipient's own look marks it as read. */
export async function openMessage(work: Work, id: MessageId, ask: { marksRead: boolean }): Promise<Message> {
  const message = await getVisible(work, id);
  const isRecipient = await isOwn(work, message.recipientId);
  return ask.marksRead && isRecipient ? move(work, message, "read") : message;
}

/** Moves messages of the caller's own mailboxes: all of them, or none when one is unknown. */
export async function moveMessages(work: Work, ids: readonly MessageId[], to: MessageStatus): Promise<void> {
  const messages = await listMessagesByIds(work.db, ids);
  const owned = new Map<AgentId, boolean>();
  const found = new Set<MessageId>();
  for (const { id, recipientId } of messages) {
    if (!owned.has(recipientId)) owned.set(recipientId, await isOwn(work, recipientId));
    if (owned.get(recipientId)) found.add(id);
  }
  const unknown = ids.filter((id) => !found.has(id));
  if (unknown.length > 0) refuseUnknownMessages(unknown);
  for (const message of messages) await move(work, message, to);
}

async function move(work: Work, message: Message, to: MessageStatus): Promise<Message> {
  const status = decideMove(message, to);
  if (status === null) return message;
  await saveMessage(work.db, message, { status, updatedAt: work.now });
  const { recipientId } = message;
  const event = status === "archived" ? messageEvent.archived : messageEvent.read;
  work.record(event(message.id, { recipient_id: recipientId }, [`agent:${recipientId}`]));
  return { ...message, status, updatedAt: work.now };
}

async function getSender(work: Work, id: AgentId): Promise<void> {
  const sender = await findAgent(work.db, id);
  if (!sender) throw new Refusal("SENDER_NOT_FOUND", "The sender does not exist.");
  checkOwner(sender, work.caller);
}

async function getVisible(work: Work, id: MessageId): Promise<Message> {
  const message = await findMessage(work.db, id);
  if (!message) return refuseUnknownMessages([id]);
  const mine = new Set<AgentId>();
  for (const agentId of [message.recipientId, message.senderId]) {
    if (agentId !== null && (await isOwn(work, agentId))) mine.add(agentId);
  }
  return isBetween(message, mine) ? message : refuseUnknownMessages([id]);
}

async function isOwn(work: Work, agentId: AgentId): Promise<boolean> {
  return (await findAgent(work.db, agentId))?.developerId === work.caller.developerId;
}
