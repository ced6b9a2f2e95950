import type { AgentId, MessageId, TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { IdSet } from "../../storage/id-set.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { MessageRow } from "../../storage/schema.ts";
import type { Body, Message, MessageFilter, MessageStatus, Priority } from "./model.ts";

/** Messages between agents; those between developers lie in the same table and name no agent that receives them. */
const letters = (db: Db) =>
  db.q.selectFrom("message").selectAll().where("recipientId", "is not", null).$narrowType<LetterColumns>();

/** What every row with a recipient has. */
interface LetterColumns {
  recipientId: AgentId;
  messageType: Message["messageType"];
}

export async function findMessage(db: Db, id: MessageId): Promise<Message | undefined> {
  const row = await db.first(letters(db).where("id", "=", id));
  return row && messageOf(row);
}

/** Always in the same order: writers who then save the same messages cannot wait for each other in a circle. */
export async function listMessagesByIds(db: Db, ids: readonly MessageId[]): Promise<Message[]> {
  return (await db.all(letters(db).where("id", "in", ids).orderBy("id"))).map(messageOf);
}

export interface MailboxFilter extends MessageFilter {
  readonly agentId: AgentId;
}

/** Newest first. A thread shows both sides; a mailbox only what was received. */
export async function listMessages(db: Db, filter: MailboxFilter): Promise<Message[]> {
  const { agentId, threadId } = filter;
  const query = filtered(db, filter);
  const own =
    threadId === undefined
      ? query.where("recipientId", "=", agentId)
      : query.where((or) => or.or([or("recipientId", "=", agentId), or("senderId", "=", agentId)]));
  return (await db.all(own)).map(messageOf);
}

/** What these agents sent or were sent, newest first. */
export async function listMail(db: Db, agents: IdSet<AgentId>, filter: MessageFilter): Promise<Message[]> {
  const query = filtered(db, filter).where((or) =>
    or.or([or("recipientId", "in", agents), or("senderId", "in", agents)]),
  );
  return (await db.all(query)).map(messageOf);
}

function filtered(db: Db, filter: MessageFilter) {
  let query = letters(db)
    .where("status", "in", filter.statuses)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit)
    .offset(filter.offset ?? 0);
  if (filter.threadId !== undefined) query = query.where("threadId", "=", filter.threadId);
  if (filter.messageTypes !== undefined) query = query.where("messageType", "in", filter.messageTypes);
  if (filter.priorities !== undefined) query = query.where("priority", "in", filter.priorities);
  if (filter.workflowId !== undefined) query = query.where("workflowId", "=", filter.workflowId);
  if (filter.since !== undefined) query = query.where("createdAt", ">", filter.since);
  return query;
}

/** What agents were written about a task and have not read. */
export async function listUnreadAbout(db: Db, taskId: TaskId, limit: number): Promise<Message[]> {
  const query = letters(db).where("taskId", "=", taskId).where("status", "=", "unread").orderBy("id").limit(limit);
  return (await db.all(query)).map(messageOf);
}

export const countUnread = (db: Db, agentId: AgentId): Promise<ReadonlyMap<Priority, number>> =>
  countByPriority(db, unread(db).where("recipientId", "=", agentId));

/** How much mail waits for these agents. */
export const countUnreadMail = (db: Db, agents: IdSet<AgentId>): Promise<ReadonlyMap<Priority, number>> =>
  countByPriority(db, unread(db).where("recipientId", "in", agents));

const unread = (db: Db) =>
  db.q
    .selectFrom("message")
    .select((of) => ["priority", of.fn.countAll<number>().as("count")])
    .where("status", "=", "unread")
    .groupBy("priority");

async function countByPriority(db: Db, query: ReturnType<typeof unread>): Promise<ReadonlyMap<Priority, number>> {
  const rows = await db.all(query);
  return new Map(rows.map((row) => [row.priority, Number(row.count)]));
}

export async function insertMessage(db: Db, message: Message): Promise<void> {
  await db.run(db.q.insertInto("message").values({ ...message, body: JSON.stringify(message.body) }));
}

export const saveMessage = (
  db: Db,
  read: Message,
  changes: { status: MessageStatus; updatedAt: number },
): Promise<void> => changeMessage(db, read, changes);

/** Puts a message into another agent's mailbox. */
export const passOnMessage = (
  db: Db,
  read: Message,
  changes: { recipientId: AgentId; updatedAt: number },
): Promise<void> => changeMessage(db, read, changes);

/** Changes the version of a message that was read, whoever it is for. */
export async function changeMessage(
  db: Db,
  read: { readonly id: MessageId; readonly version: number },
  changes: Partial<Pick<MessageRow, "status" | "recipientId" | "toDeveloperId">> & { updatedAt: number },
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("message")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

const messageOf = (row: Omit<MessageRow, keyof LetterColumns> & LetterColumns): Message => ({
  id: row.id,
  senderId: row.senderId,
  recipientId: row.recipientId,
  threadId: row.threadId,
  replyToId: row.replyToId,
  messageType: row.messageType,
  subject: row.subject,
  body: JSON.parse(row.body) as Body,
  priority: row.priority,
  status: row.status,
  workflowId: row.workflowId,
  taskId: row.taskId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  version: row.version,
});
