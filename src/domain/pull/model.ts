import { z } from "zod";
import { AgentId, DeveloperId, InstanceId, PullCommentId, PullId } from "../../contract/ids.ts";
import { diffSides, mergeMethods, type OneOf, pullHosts, pullStatuses } from "../../contract/words.ts";

export const Pull = z.object({
  id: PullId,
  host: z.enum(pullHosts),
  /** The repository at its host, `owner/name`; empty where the pull request is our own. */
  address: z.string(),
  /** Null until it is open. */
  number: z.number().nullable(),
  status: z.enum(pullStatuses),
  title: z.string(),
  description: z.string(),
  repositoryPath: z.string(),
  /** The server that can reach the repository. */
  place: z.string(),
  branch: z.string(),
  base: z.string(),
  /** The commit it was last seen to stand on. */
  head: z.string(),
  url: z.string().nullable(),
  developerId: DeveloperId,
  /** The agent that asked for it; null where a person did. */
  agentId: AgentId.nullable(),
  /** The reviewer that opened it for the work it approves. */
  approvedById: InstanceId.nullable(),
  /** Somebody asked for changes and the branch has not moved since. */
  isSentBack: z.boolean(),
  mergeMethod: z.enum(mergeMethods).nullable(),
  mergeCommit: z.string().nullable(),
  /** Where the base stood before it was merged. */
  baseBefore: z.string().nullable(),
  /** What the host calls the answer that it gave last. */
  etag: z.string().nullable(),
  /** Why the last piece of outside work was given up. */
  problem: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  endedAt: z.number().nullable(),
  version: z.number(),
});
export type Pull = z.infer<typeof Pull>;
export type PullStatus = Pull["status"];
export type MergeMethod = OneOf<typeof mergeMethods>;

/** It has neither come to be nor to an end yet, or it can be decided. */
export const isAlive = ({ status }: Pick<Pull, "status">): boolean =>
  status === "opening" || status === "open" || status === "merging";

export const PullComment = z.object({
  id: PullCommentId,
  pullId: PullId,
  developerId: DeveloperId,
  /** Null for what is said about the whole. */
  path: z.string().nullable(),
  line: z.number().nullable(),
  side: z.enum(diffSides),
  /** The commit that was looked at. */
  head: z.string(),
  body: z.string(),
  createdAt: z.number(),
  /** When it went to whoever opened the pull request. */
  sentAt: z.number().nullable(),
  /** How its agent knows it as something to do, such as 3.1: the round, counted on from its reviews, and the place in it. */
  item: z.string().nullable(),
  /** When somebody found it done. */
  doneAt: z.number().nullable(),
});
export type PullComment = z.infer<typeof PullComment>;
