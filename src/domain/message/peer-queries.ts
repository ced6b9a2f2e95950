import type { AgentId, DeveloperId, MessageId, TaskId, ThreadId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { MessageRow } from "../../storage/schema.ts";
import type { MessageStatus } from "./model.ts";
import { type PeerDetail, type PeerMessage, type PeerType, peerTypes } from "./peer-model.ts";

/** Messages between developers share a table with those between agents and name no agent that receives them. */

export async function findPeerMessage(db: Db, id: MessageId): Promise<PeerMessage | undefined> {
  const row = await db.first(
    db.q.selectFrom("message").selectAll().where("id", "=", id).where("recipientId", "is", null),
  );
  return row && peerMessageOf(row);
}

interface PeerFilter {
  readonly type?: PeerType | undefined;
  readonly from?: DeveloperId | undefined;
  readonly to?: DeveloperId | undefined;
  readonly taskId?: TaskId | undefined;
  /** Only what still waits for something. */
  readonly isOpen?: boolean | undefined;
  /** Only what has not run out by this moment. */
  readonly liveAt?: number | undefined;
  readonly since?: number | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listPeerMessages(db: Db, filter: PeerFilter): Promise<PeerMessage[]> {
  let query = db.q
    .selectFrom("message")
    .selectAll()
    .where("recipientId", "is", null)
    .where("messageType", "in", filter.type === undefined ? peerTypes : [filter.type])
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit);
  if (filter.from !== undefined) query = query.where("fromDeveloperId", "=", filter.from);
  if (filter.to !== undefined) query = query.where("toDeveloperId", "=", filter.to);
  if (filter.taskId !== undefined) query = query.where("taskId", "=", filter.taskId);
  if (filter.isOpen === true) query = query.where("status", "=", "unread");
  if (filter.liveAt !== undefined) query = query.where("expiresAt", ">", filter.liveAt);
  if (filter.since !== undefined) query = query.where("createdAt", ">=", filter.since);
  return (await db.all(query)).map(peerMessageOf);
}

const peerMessageOf = (row: MessageRow): PeerMessage => ({
  id: row.id as MessageId,
  senderId: row.senderId as AgentId | null,
  fromDeveloperId: row.fromDeveloperId as DeveloperId,
  toDeveloperId: row.toDeveloperId as DeveloperId | null,
  threadId: row.threadId as ThreadId,
  replyToId: row.replyToId as MessageId | null,
  messageType: row.messageType as PeerType,
  body: JSON.parse(row.body) as string,
  status: row.status as MessageStatus,
  taskId: row.taskId as TaskId | null,
  detail: JSON.parse(row.detail ?? "{}") as PeerDetail,
  expiresAt: row.expiresAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  version: row.version,
});
