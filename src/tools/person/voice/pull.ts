import { z } from "zod";
import { PullCommentId } from "../../../contract/ids.ts";
import { diffSides, mergeMethods, pullHosts, pullStatuses } from "../../../contract/words.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import type { Pull, PullComment } from "../../../domain/pull/model.ts";
import type { Comparison } from "../../../domain/pull/port.ts";
import { Time, timeOf, timeOrNull } from "../../time.ts";

export const PullNumber = z.number().int().min(1).max(1_000_000_000).describe("The pull request's number.");

/** What may stand in the way of a new pull request, here and at a code host. */
export const openRefusals = [
  "INVALID_INPUT",
  "INVALID_STATE",
  "CONFLICT",
  "REPOSITORY_NOT_FOUND",
  "GIT_ERROR",
  "TOOL_TIMEOUT",
  "GITHUB_AUTH_FAILED",
  "GITHUB_PERMISSION_DENIED",
  "GITHUB_REPOSITORY_NOT_FOUND",
  "GITHUB_API_ERROR",
  "GITHUB_RATE_LIMIT_EXCEEDED",
  "GITHUB_NETWORK_ERROR",
] as const;

const pullFields = {
  number: z.number().int().nullable().describe("Null until it is open."),
  host: z.enum(pullHosts).describe("Where it is decided."),
  status: z.enum(pullStatuses),
  title: z.string(),
  description: z.string(),
  repository: z.string().describe("The repository's main folder."),
  branch: z.string(),
  base: z.string(),
  head: z.string().describe("The commit it stands on."),
  url: z.string().nullable(),
  developer: z.string(),
  instance_id: z.string().nullable().describe("The agent that opened it."),
  sent_back: z.boolean().describe("Changes were requested and the branch has not moved since."),
  merge_method: z.enum(mergeMethods).nullable(),
  merge_commit: z.string().nullable(),
  problem: z.string().nullable().describe("Why the last merge or push did not go through."),
  created_at: Time,
  updated_at: Time,
  ended_at: Time.nullable(),
};

export const PullRecord = z.object(pullFields);

const CommentRecord = z.object({
  id: PullCommentId,
  path: z.string().nullable(),
  line: z.number().int().nullable(),
  side: z.enum(diffSides),
  head: z.string().describe("The commit that was looked at."),
  body: z.string(),
  developer: z.string(),
  sent: z.boolean().describe("It went to whoever opened the pull request."),
  item_id: z.string().nullable().describe("How the agent knows it as something to do."),
  done: z.boolean().describe("Somebody found it done."),
  created_at: Time,
});

export const PullDetail = z.object({
  ...pullFields,
  current: z
    .object({
      head: z.string(),
      branch_gone: z.boolean(),
      ahead: z.number().int(),
      behind: z.number().int(),
      mergeable: z.boolean(),
      conflicts: z.array(z.string()),
      commits: z.array(z.object({ id: z.string(), subject: z.string(), author: z.string() })),
      files: z.array(z.object({ path: z.string(), change: z.enum(["added", "modified", "deleted"]) })),
    })
    .nullable()
    .describe("How branch and base compare right now; null once it is over, or where the repository is out of reach."),
  comments: z.array(CommentRecord),
});

export const pullRecord = (pull: Pull, viewer: Viewer): z.input<typeof PullRecord> => ({
  number: pull.number,
  host: pull.host,
  status: pull.status,
  title: pull.title,
  description: pull.description,
  repository: pull.repositoryPath,
  branch: pull.branch,
  base: pull.base,
  head: pull.head,
  url: pull.url,
  developer: viewer.of(pull).owner,
  instance_id: pull.agentId,
  sent_back: pull.isSentBack,
  merge_method: pull.mergeMethod,
  merge_commit: pull.mergeCommit,
  problem: pull.problem,
  created_at: timeOf(pull.createdAt),
  updated_at: timeOf(pull.updatedAt),
  ended_at: timeOrNull(pull.endedAt),
});

/** What somebody said who must not be known is left out. */
export const commentRecords = (comments: readonly PullComment[], viewer: Viewer): z.input<typeof CommentRecord>[] =>
  viewer.known(comments).map((comment) => ({
    id: comment.id,
    path: comment.path,
    line: comment.line,
    side: comment.side,
    head: comment.head,
    body: comment.body,
    developer: viewer.of(comment).owner,
    sent: comment.sentAt !== null,
    item_id: comment.item,
    done: comment.doneAt !== null,
    created_at: timeOf(comment.createdAt),
  }));

export const currentRecord = (now: Comparison): NonNullable<z.input<typeof PullDetail>["current"]> => ({
  head: now.head,
  branch_gone: now.isBranchGone,
  ahead: now.ahead,
  behind: now.behind,
  mergeable: now.conflicts.length === 0 && now.ahead > 0,
  conflicts: [...now.conflicts],
  commits: now.commits.map((commit) => ({ ...commit })),
  files: now.files.map(({ path, before, after }) => ({ path, change: changeOf(before, after) })),
});

const changeOf = (before: string | null, after: string | null) =>
  before === null ? ("added" as const) : after === null ? ("deleted" as const) : ("modified" as const);
