import { z } from "zod";
import { AgentId, ClaimId, DeveloperId, MessageId, SharedContextId, TaskId, ThreadId } from "../../contract/ids.ts";
import { messageStatuses, peerTypes } from "../../contract/words.ts";

/** What a message is about beside its words; each type has its own. */
export const PeerDetail = z.object({
  repo: z.string().nullable().optional(),
  branch: z.string().nullable().optional(),
  contextId: SharedContextId.nullable().optional(),
  claimId: ClaimId.optional(),
  paths: z.array(z.string()).optional(),
  symbols: z.array(z.string()).optional(),
  /** The task that code was wanted for, if its agent named one. */
  wantedFor: TaskId.optional(),
  /** Whether the code was refused: whoever wanted it is told when it becomes free. */
  isRefused: z.boolean().optional(),
});
export type PeerDetail = z.infer<typeof PeerDetail>;

/** A message from one developer to another, whichever of their agents comes next, or to the whole team. */
export const PeerMessage = z.object({
  id: MessageId,
  /** The session it was written in, if one was named. */
  senderId: AgentId.nullable(),
  fromDeveloperId: DeveloperId,
  /** Null for the whole team. */
  toDeveloperId: DeveloperId.nullable(),
  threadId: ThreadId,
  replyToId: MessageId.nullable(),
  messageType: z.enum(peerTypes),
  body: z.string(),
  /** Unread while it waits for something: an answer, a receiver, a reader. Archived once that has come. */
  status: z.enum(messageStatuses),
  taskId: TaskId.nullable(),
  detail: PeerDetail,
  expiresAt: z.number().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type PeerMessage = z.infer<typeof PeerMessage>;
export type PeerType = PeerMessage["messageType"];

/** What a refused claim is told under: the task it was for, else the session, else the developer. */
export const wantedSubject = ({ detail, senderId, fromDeveloperId }: PeerMessage): string =>
  detail.wantedFor ?? senderId ?? fromDeveloperId;
