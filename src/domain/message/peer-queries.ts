import type { DeveloperId, MessageId, TaskId } from "../../contract/ids.ts";
import { peerTypes } from "../../contract/words.ts";
import type { Db } from "../../storage/db.ts";
import type { MessageRow } from "../../storage/schema.ts";
import type { PeerDetail, PeerMessage, PeerType } from "./peer-model.ts";

/** Messages between developers share a table with those between agents and name no agent that receives them. */
const peerMessages = (db: Db) =>
  db.q.selectFrom("message").selectAll().where("recipientId", "is", null).$narrowType<PeerColumns>();

/** What every row without a recipient has. */
interface PeerColumns {
  fromDeveloperId: DeveloperId;
  messageType: PeerType;
}

export async function findPeerMessage(db: Db, id: MessageId): Promise<PeerMessage | undefined> {
  const row = await db.first(peerMessages(db).where("id", "=", id));
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
  let query = peerMessages(db)
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

const peerMessageOf = (row: Omit<MessageRow, keyof PeerColumns> & PeerColumns): PeerMessage => ({
  id: row.id,
  senderId: row.senderId,
  fromDeveloperId: row.fromDeveloperId,
  toDeveloperId: row.toDeveloperId,
  threadId: row.threadId,
  replyToId: row.replyToId,
  messageType: row.messageType,
  body: JSON.parse(row.body) as string,
  status: row.status,
  taskId: row.taskId,
  detail: JSON.parse(row.detail ?? "{}") as PeerDetail,
  expiresAt: row.expiresAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  version: row.version,
});
