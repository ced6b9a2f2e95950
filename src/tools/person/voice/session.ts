import { z } from "zod";
import { type OneOf, signalWays } from "../../../contract/words.ts";
import { isStale } from "../../../domain/agent/session-model.ts";
import type { CodeClaim } from "../../../domain/claim/model.ts";
import type { SessionDesk } from "../../../domain/context/session-list-operations.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import { Time, timeOf, timeOrNull } from "../../time.ts";
import { UseSum, useSum } from "./usage.ts";

/** How sessions are shown to people. Of a private developer's only that there is one, and since when (TS8). */

const hideable = z.string().nullable();
const Count = z.number().int();

export const ClaimRecord = z.object({
  claim_id: z.string(),
  holder: z.string(),
  mine: z.boolean(),
  repo: z.string(),
  branch: z.string().nullable(),
  paths: z.array(z.string()),
  symbols: z.array(z.string()),
  exclusive: z.boolean(),
  task_id: z.string().nullable(),
  expires_at: Time,
});

const SnapshotRecord = z.object({
  taken_at: Time.nullable(),
  head: z.string().nullable(),
  dirty_files: z.array(z.string()).describe("The first of them; more for one session alone."),
  dirty_total: Count,
  unpushed_files: z.array(z.string()),
  unpushed_total: Count,
});

export const SessionRecord = z.object({
  id: z.string(),
  agent_name: z.string(),
  developer: z.string(),
  mine: z.boolean(),
  status: z.enum(["active", "stale", "ended"]).describe("stale: silent for more than 30 minutes."),
  agent_type: hideable,
  provider: hideable,
  model: hideable,
  repo: hideable,
  branch: hideable,
  worktree: hideable,
  task_id: hideable.describe("What it has in hand."),
  snapshot: SnapshotRecord.nullable().describe("Its working copy, as it was last reported."),
  usage: UseSum.nullable().describe("What it has used in all; null where nothing was reported."),
  claims: z.array(ClaimRecord).describe("Code it holds, with the end of each lease."),
  contexts: z.array(
    z.object({ context_id: z.string(), title: z.string(), summary: z.string(), created_at: Time, expires_at: Time }),
  ),
  summary: hideable.describe("What it said when it ended."),
  signals: z
    .array(z.object({ way: z.enum(signalWays), at: Time }))
    .describe("By which ways it was heard of, the last first: hooks of its client, the watcher of its machine, calls."),
  started_at: Time,
  last_seen_at: Time,
  ended_at: Time.nullable(),
});

export interface View {
  readonly viewer: Viewer;
  readonly now: number;
  readonly mostFiles: number;
}

export function sessionRecord(desk: SessionDesk, view: View): z.input<typeof SessionRecord> {
  const { session } = desk;
  const sight = view.viewer.of(session);
  return {
    id: session.id,
    agent_name: sight.title(session.name),
    developer: sight.owner,
    mine: sight.isOwn,
    status: session.endedAt !== null ? "ended" : isStale(session, view.now) ? "stale" : "active",
    ...(sight.isHidden ? nothing : whatItDoes(desk, view)),
    started_at: timeOf(session.createdAt),
    last_seen_at: timeOf(session.lastSeenAt),
    ended_at: timeOrNull(session.endedAt),
  };
}

const nothing = {
  agent_type: null,
  provider: null,
  model: null,
  repo: null,
  branch: null,
  worktree: null,
  task_id: null,
  snapshot: null,
  usage: null,
  claims: [],
  contexts: [],
  summary: null,
  signals: [],
};

function whatItDoes({ session, use, claims, contexts }: SessionDesk, view: View) {
  return {
    agent_type: session.agentType,
    provider: session.provider,
    model: session.model,
    repo: session.repo,
    branch: session.branch,
    worktree: session.worktree,
    task_id: session.currentTaskId,
    snapshot: snapshotRecord(session, view.mostFiles),
    usage: use ? useSum(use) : null,
    claims: claims.map((claim) => claimRecord(claim, view)),
    contexts: contexts.map((context) => ({
      context_id: context.id,
      title: context.title,
      summary: context.summary,
      created_at: timeOf(context.createdAt),
      expires_at: timeOf(context.expiresAt),
    })),
    summary: session.summary,
    signals: signalsOf(session),
  };
}

const signalsOf = ({ hookAt, watchAt, callAt }: SessionDesk["session"]) =>
  Object.entries({ hook: hookAt, watch: watchAt, call: callAt })
    .flatMap(([way, at]) => (at === null ? [] : [{ way: way as OneOf<typeof signalWays>, at }]))
    .sort((one, other) => other.at - one.at)
    .map(({ way, at }) => ({ way, at: timeOf(at) }));

function snapshotRecord({ workingCopy, workingCopyAt }: SessionDesk["session"], most: number) {
  if (workingCopy === null) return null;
  return {
    taken_at: timeOrNull(workingCopyAt),
    head: workingCopy.head,
    dirty_files: workingCopy.dirtyFiles.slice(0, most),
    dirty_total: workingCopy.dirtyFiles.length,
    unpushed_files: workingCopy.unpushedFiles.slice(0, most),
    unpushed_total: workingCopy.unpushedFiles.length,
  };
}

export const claimRecord = (claim: CodeClaim, { viewer }: Pick<View, "viewer">): z.input<typeof ClaimRecord> => ({
  claim_id: claim.id,
  holder: viewer.of(claim).owner,
  mine: viewer.of(claim).isOwn,
  repo: claim.repo,
  branch: claim.branch,
  paths: claim.paths,
  symbols: claim.symbols,
  exclusive: claim.isExclusive,
  task_id: claim.taskId,
  expires_at: timeOf(claim.expiresAt),
});
