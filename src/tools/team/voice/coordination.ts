import type { DeveloperId } from "../../../contract/ids.ts";
import type { CodeClaim, Meeting } from "../../../domain/claim/model.ts";
import type { Presence } from "../../../domain/intent/presence-operations.ts";
import type { PeerMessage } from "../../../domain/message/peer-model.ts";
import { privateName } from "../../../domain/person/model.ts";
import { type PublicDeveloper, publicHandles } from "../../../domain/person/operations.ts";
import type { Work } from "../../../domain/work.ts";
import { timeOf } from "./words.ts";

/** How coordination writes its records for one reader: of private people nothing but what concerns the reader (CC21). */
interface Voice {
  nameOf(id: DeveloperId | null): string;
  claim(claim: CodeClaim): Record<string, unknown>;
  conflict(meeting: Meeting): Record<string, unknown>;
  fileConflict(conflict: Presence): Record<string, unknown>;
  ask(message: PeerMessage): Record<string, unknown>;
  reply(message: PeerMessage): Record<string, unknown>;
  handoff(message: PeerMessage): Record<string, unknown>;
  announcement(message: PeerMessage): Record<string, unknown>;
  conflictNotice(message: PeerMessage): Record<string, unknown>;
}

export async function voiceFor(work: Work): Promise<Voice> {
  const people = await publicHandles(work.db, work.caller);
  const own = work.caller.developerId;
  const nameOf = (id: DeveloperId | null): string => nameIn(people, id);
  const isHidden = (id: DeveloperId): boolean => people.get(id)?.isHidden ?? true;
  return {
    nameOf,
    claim: (claim) => claimRecord(claim, { holder: nameOf(claim.developerId), isHidden: isHidden(claim.developerId) }),
    conflict: ({ held, paths, symbols }) => ({
      ...claimRecord(held, { holder: nameOf(held.developerId), isHidden: isHidden(held.developerId) }),
      repo: held.repo,
      same_developer: held.developerId === own,
      your_paths: paths,
      your_symbols: symbols,
    }),
    fileConflict: ({ subjectId, source, developerId, files }) => ({
      source,
      owner: nameOf(developerId),
      same_developer: developerId === own,
      task_id: source === "target" && !isHidden(developerId) ? subjectId : null,
      session_id: source === "target" || isHidden(developerId) ? null : subjectId,
      files: files.slice(0, mostFiles),
    }),
    ask: (message) => ({
      ask_id: message.id,
      from: nameOf(message.fromDeveloperId),
      to: nameOf(message.toDeveloperId),
      question: message.body,
      task_id: message.taskId,
      asked_at: timeOf(message.createdAt),
    }),
    reply: (message) => ({
      reply_id: message.id,
      ask_id: message.replyToId,
      from: nameOf(message.fromDeveloperId),
      answer: message.body,
      task_id: message.taskId,
      replied_at: timeOf(message.createdAt),
    }),
    handoff: (message) => ({
      handoff_id: message.id,
      from: nameOf(message.fromDeveloperId),
      to: nameOf(message.toDeveloperId),
      summary: message.body,
      task_id: message.taskId,
      context_id: message.detail.contextId ?? null,
      offered_at: timeOf(message.createdAt),
    }),
    announcement: (message) => ({
      announcement_id: message.id,
      from: nameOf(message.fromDeveloperId),
      message: message.body,
      repo: message.detail.repo ?? null,
      branch: message.detail.branch ?? null,
      announced_at: timeOf(message.createdAt),
      expires_at: timeOf(message.expiresAt ?? message.createdAt),
    }),
    conflictNotice: (message) => ({
      claim_id: message.detail.claimId ?? null,
      wanted_by: nameOf(message.fromDeveloperId),
      same_developer: message.fromDeveloperId === own,
      paths: message.detail.paths ?? [],
      symbols: message.detail.symbols ?? [],
      task_id: message.taskId,
      noticed_at: timeOf(message.createdAt),
    }),
  };
}

const mostFiles = 50;

function nameIn(people: ReadonlyMap<DeveloperId, PublicDeveloper>, id: DeveloperId | null): string {
  const developer = id === null ? undefined : people.get(id);
  return developer === undefined || developer.isHidden ? privateName : developer.handle;
}

const claimRecord = (claim: CodeClaim, { holder, isHidden }: { holder: string; isHidden: boolean }) => ({
  claim_id: isHidden ? null : claim.id,
  holder,
  repo: isHidden ? null : claim.repo,
  branch: isHidden ? null : claim.branch,
  paths: isHidden ? [] : claim.paths,
  symbols: isHidden ? [] : claim.symbols,
  exclusive: claim.isExclusive,
  fence: claim.fence,
  task_id: isHidden ? null : claim.taskId,
  session_id: isHidden ? null : claim.sessionId,
  expires_at: timeOf(claim.expiresAt),
});
