import type { AgentId, DeveloperId, InstanceId, IssueId, PullCommentId, PullId } from "../contract/ids.ts";
import type { diffSides, issueStatuses, mergeMethods, OneOf, pullHosts, pullStatuses } from "../contract/words.ts";

/** Rows about pull requests; `address` is the repository's at its host, empty for local ones. */
export interface PullRow {
  id: PullId;
  host: OneOf<typeof pullHosts>;
  address: string;
  number: number | null;
  status: OneOf<typeof pullStatuses>;
  title: string;
  description: string;
  repositoryPath: string;
  place: string;
  branch: string;
  base: string;
  head: string;
  url: string | null;
  developerId: DeveloperId;
  agentId: AgentId | null;
  approvedById: InstanceId | null;
  isSentBack: number;
  mergeMethod: OneOf<typeof mergeMethods> | null;
  mergeCommit: string | null;
  baseBefore: string | null;
  etag: string | null;
  problem: string | null;
  createdAt: number;
  updatedAt: number;
  endedAt: number | null;
  version: number;
}

interface PullCommentRow {
  id: PullCommentId;
  pullId: PullId;
  developerId: DeveloperId;
  path: string | null;
  line: number | null;
  side: OneOf<typeof diffSides>;
  head: string;
  body: string;
  createdAt: number;
  sentAt: number | null;
  /** How it is called as something to do. */
  item: string | null;
  doneAt: number | null;
}

export interface FiledIssueRow {
  id: IssueId;
  /** Issues that one call asked for. */
  batch: string;
  position: number;
  address: string;
  title: string;
  body: string;
  labels: string;
  dependsOn: string;
  status: OneOf<typeof issueStatuses>;
  isCreated: number;
  number: number | null;
  url: string | null;
  problem: string | null;
  developerId: DeveloperId;
  agentId: AgentId | null;
  createdAt: number;
  updatedAt: number;
  version: number;
}

export interface PullTables {
  pull: PullRow;
  pullComment: PullCommentRow;
  filedIssue: FiledIssueRow;
}
