import type { CodeClaim, Meeting } from "../../../domain/claim/model.ts";
import type { Forecast } from "../../../domain/context/collision-model.ts";
import type { Presence } from "../../../domain/intent/presence-operations.ts";
import type { PeerMessage } from "../../../domain/message/peer-model.ts";
import type { Sight, Viewer } from "../../../domain/person/viewer-model.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import type { Work } from "../../../domain/work.ts";
import { timeOf } from "./words.ts";

/** How coordination writes its records for one reader: of private people nothing but what concerns the reader (CC21). */
interface Voice {
  readonly viewer: Viewer;
  claim(claim: CodeClaim): Record<string, unknown>;
  conflict(meeting: Meeting): Record<string, unknown>;
  /** Of somebody private's files only those that the reader named one by one: a pattern would list the rest. */
  fileConflict(conflict: Presence, named: readonly string[]): Record<string, unknown>;
  forecast(forecast: Forecast): Record<string, unknown>;
  ask(message: PeerMessage): Record<string, unknown>;
  reply(message: PeerMessage): Record<string, unknown>;
  handoff(message: PeerMessage): Record<string, unknown>;
  announcement(message: PeerMessage): Record<string, unknown>;
  conflictNotice(message: PeerMessage): Record<string, unknown>;
}

export async function voiceFor(work: Work): Promise<Voice> {
  const viewer = await readViewer(work);
  return {
    viewer,
    claim: (claim) => claimRecord(claim, viewer.of(claim)),
    conflict: ({ held, paths, symbols }) => ({
      ...claimRecord(held, viewer.of(held)),
      repo: held.repo,
      same_developer: viewer.of(held).isOwn,
      your_paths: paths,
      your_symbols: symbols,
    }),
    fileConflict: (presence, named) => fileConflictRecord(presence, viewer.of(presence), named),
    forecast: ({ verdict, paths, symbols, since, baseBranch, other }) => ({
      verdict,
      paths,
      symbols: symbols.map(({ path, name, why, definedIn }) => ({ path, name, why, defined_in: definedIn })),
      since: timeOf(since),
      base_branch: baseBranch,
      owner: other === null ? null : viewer.nameOf(other.developerId),
      session_id: other === null ? null : viewer.of(other).value(other.agentId),
    }),
    ask: (message) => ({
      ask_id: message.id,
      from: viewer.nameOf(message.fromDeveloperId),
      to: viewer.nameOf(message.toDeveloperId),
      question: message.body,
      task_id: message.taskId,
      asked_at: timeOf(message.createdAt),
    }),
    reply: (message) => ({
      reply_id: message.id,
      ask_id: message.replyToId,
      from: viewer.nameOf(message.fromDeveloperId),
      answer: message.body,
      task_id: message.taskId,
      replied_at: timeOf(message.createdAt),
    }),
    handoff: (message) => ({
      handoff_id: message.id,
      from: viewer.nameOf(message.fromDeveloperId),
      to: viewer.nameOf(message.toDeveloperId),
      summary: message.body,
      task_id: message.taskId,
      context_id: message.detail.contextId ?? null,
      offered_at: timeOf(message.createdAt),
    }),
    announcement: (message) => ({
      announcement_id: message.id,
      from: viewer.nameOf(message.fromDeveloperId),
      message: message.body,
      repo: message.detail.repo ?? null,
      branch: message.detail.branch ?? null,
      announced_at: timeOf(message.createdAt),
      expires_at: timeOf(message.expiresAt ?? message.createdAt),
    }),
    conflictNotice: (message) => ({
      claim_id: message.detail.claimId ?? null,
      wanted_by: viewer.nameOf(message.fromDeveloperId),
      same_developer: viewer.isSelf(message.fromDeveloperId),
      paths: message.detail.paths ?? [],
      symbols: message.detail.symbols ?? [],
      task_id: message.taskId,
      noticed_at: timeOf(message.createdAt),
    }),
  };
}

const mostFiles = 50;

const fileConflictRecord = ({ subjectId, source, files }: Presence, sight: Sight, named: readonly string[]) => ({
  source,
  owner: sight.owner,
  same_developer: sight.isOwn,
  task_id: source === "target" ? sight.value(subjectId) : null,
  session_id: source === "target" ? null : sight.value(subjectId),
  files: files.filter((file) => !sight.isHidden || named.includes(file)).slice(0, mostFiles),
});

const claimRecord = (claim: CodeClaim, sight: Sight) => ({
  claim_id: sight.value(claim.id),
  holder: sight.owner,
  repo: sight.value(claim.repo),
  branch: sight.value(claim.branch),
  paths: sight.list(claim.paths),
  symbols: sight.list(claim.symbols),
  exclusive: claim.isExclusive,
  fence: claim.fence,
  task_id: sight.value(claim.taskId),
  session_id: sight.value(claim.sessionId),
  expires_at: timeOf(claim.expiresAt),
});
