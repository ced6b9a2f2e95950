import type { AgentId, ClaimId, DeveloperId, MessageId, SharedContextId, TaskId } from "../../contract/ids.ts";
import { findAgent, hasLiveAgent } from "../agent/queries.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import type { Developer } from "../person/model.ts";
import { getTeammate } from "../person/teammate-operations.ts";
import { getTask } from "../task/queries.ts";
import type { SystemWork, Work } from "../work.ts";
import { leaveNotice } from "./notice-operations.ts";
import { coordinationEvent } from "./peer-events.ts";
import type { PeerDetail, PeerMessage, PeerType } from "./peer-model.ts";
import { findPeerMessage, listPeerMessages } from "./peer-queries.ts";
import { checkMine, excerptOf } from "./peer-rules.ts";
import { insertPeerMessage, savePeerMessage, shortenLetters } from "./peer-store.ts";
import { listUnreadAbout, passOnMessage } from "./store.ts";

interface PeerLetter {
  readonly type: PeerType;
  readonly sessionId: AgentId | null;
  readonly to: DeveloperId | null;
  readonly body: string;
  readonly taskId: TaskId | null;
  readonly detail?: PeerDetail;
  readonly expiresAt?: number;
  readonly answered?: PeerMessage;
}

async function post(work: Work, letter: PeerLetter): Promise<PeerMessage> {
  const message: PeerMessage = {
    id: work.newId("message"),
    senderId: letter.sessionId,
    fromDeveloperId: work.caller.developerId,
    toDeveloperId: letter.to,
    threadId: letter.answered?.threadId ?? work.newId("thread"),
    replyToId: letter.answered?.id ?? null,
    messageType: letter.type,
    body: letter.body,
    status: "unread",
    taskId: letter.taskId,
    detail: letter.detail ?? {},
    expiresAt: letter.expiresAt ?? null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertPeerMessage(work.db, message);
  return message;
}

/** Tells the whole team something, for a while. */
export async function announce(
  work: Work,
  ask: { sessionId: AgentId | undefined; words: string; repo: string | null; branch: string | null; ttlHours: number },
): Promise<PeerMessage> {
  const sessionId = await enterSession(work, ask.sessionId);
  const { words: body, repo, branch } = ask;
  const expiresAt = work.now + ask.ttlHours * 3_600_000;
  const detail = { repo, branch };
  const message = await post(work, {
    type: "announcement",
    sessionId,
    to: null,
    body,
    taskId: null,
    detail,
    expiresAt,
  });
  const until = new Date(expiresAt).toISOString();
  work.record(coordinationEvent.announced(message.id, { repo, branch, message: excerptOf(body), expires_at: until }));
  return message;
}

async function enterSession(work: Work, id: AgentId | undefined): Promise<AgentId | null> {
  return (await useNamedSession(work, id))?.id ?? null;
}

/** Puts a question to a teammate, who is named by handle or id. */
export async function askTeammate(
  work: Work,
  ask: { sessionId: AgentId | undefined; to: string; question: string; taskId: TaskId | null },
): Promise<{ message: PeerMessage; to: Developer; isOnline: boolean }> {
  const sessionId = await enterSession(work, ask.sessionId);
  const teammate = await getTeammate(work, ask.to);
  const { question: body, taskId } = ask;
  if (taskId !== null) await getTask(work.db, taskId);
  const to = teammate.id;
  const message = await post(work, { type: "ask", sessionId, to, body, taskId });
  work.record(coordinationEvent.asked(message.id, { developer_id: to, task_id: taskId }));
  return { message, to: teammate, isOnline: await hasLiveAgent(work.db, to) };
}

/** The same for somebody who is known already, on behalf of a session that need not be there any more. */
export async function askDeveloper(
  work: Work,
  { sessionId, to, question }: { sessionId: AgentId | null; to: DeveloperId; question: string },
): Promise<PeerMessage> {
  const message = await post(work, { type: "ask", sessionId, to, body: question, taskId: null });
  work.record(coordinationEvent.asked(message.id, { developer_id: to, task_id: null }));
  return message;
}

/** Answers a question, once; it goes to whoever asked. */
export async function answerAsk(
  work: Work,
  ask: { sessionId: AgentId | undefined; askId: MessageId; answer: string },
): Promise<PeerMessage> {
  const sessionId = await enterSession(work, ask.sessionId);
  const answered = await findPeerMessage(work.db, ask.askId);
  checkMine(answered, "ask", work.caller);
  await savePeerMessage(work.db, answered, { status: "archived", updatedAt: work.now });
  const { answer: body } = ask;
  const { fromDeveloperId: to, taskId } = answered;
  const message = await post(work, { type: "reply", sessionId, to, body, taskId, answered });
  const { senderId: agentId } = answered;
  await leaveNotice(work, { developerId: to, agentId, about: answered.id, did: "answered your question", words: body });
  const channels = agentId === null ? [] : [`agent:${agentId}`];
  work.record(
    coordinationEvent.replied(message.id, { developer_id: to, ask_id: answered.id, task_id: taskId }, channels),
  );
  return message;
}

/** Offers work to somebody. An earlier offer of the same task that nobody took makes room. */
export async function offerHandoff(
  work: Work,
  ask: {
    sessionId: AgentId | null;
    to: DeveloperId;
    summary: string;
    taskId: TaskId | null;
    contextId: SharedContextId | null;
  },
): Promise<PeerMessage> {
  const { sessionId, to, summary: body, taskId, contextId } = ask;
  if (taskId !== null) await withdrawHandoffs(work, taskId);
  const message = await post(work, { type: "handoff", sessionId, to, body, taskId, detail: { contextId } });
  work.record(coordinationEvent.offered(message.id, { developer_id: to, task_id: taskId, context_id: contextId }));
  return message;
}

async function withdrawHandoffs(work: Work, taskId: TaskId): Promise<void> {
  const waiting = await listPeerMessages(work.db, { type: "handoff", taskId, isOpen: true, limit: 100 });
  for (const handoff of waiting) await withdrawHandoff(work, handoff);
}

export async function withdrawHandoff(work: Work, handoff: PeerMessage): Promise<void> {
  await savePeerMessage(work.db, handoff, { status: "archived", updatedAt: work.now });
  const developer_id = handoff.toDeveloperId ?? handoff.fromDeveloperId;
  work.record(coordinationEvent.withdrawn(handoff.id, { developer_id, task_id: handoff.taskId }));
}

/** A handoff that waits for the caller, or a refusal. */
export async function getHandoffForMe(work: Work, id: MessageId): Promise<PeerMessage> {
  const handoff = await findPeerMessage(work.db, id);
  checkMine(handoff, "handoff", work.caller);
  return handoff;
}

/** Closes a handoff whose work has changed hands. */
export async function closeHandoff(
  work: Work,
  handoff: PeerMessage,
  moved: { claims: number; messages: number },
): Promise<void> {
  await savePeerMessage(work.db, handoff, { status: "archived", updatedAt: work.now });
  const { fromDeveloperId: developer_id, taskId: task_id, detail } = handoff;
  const context_id = detail.contextId ?? null;
  work.record(coordinationEvent.accepted(handoff.id, { developer_id, task_id, context_id, ...moved }));
}

const mailAtOnce = 500;

/**
 * Gives what one developer has not read about a task to another: questions and notices, and what was written to the
 * agents of the one to an agent of the other, where there is one. Answers how many messages that were.
 */
export async function passOnMail(
  work: Work,
  ask: { taskId: TaskId; from: DeveloperId; to: DeveloperId; sessionId: AgentId | null },
): Promise<number> {
  const { taskId, from, to, sessionId } = ask;
  const waiting = await listPeerMessages(work.db, { taskId, to: from, isOpen: true, limit: mailAtOnce });
  const peerMail = waiting.filter(({ messageType }) => messageType !== "handoff");
  for (const message of peerMail) {
    await savePeerMessage(work.db, message, { toDeveloperId: to, updatedAt: work.now });
  }
  if (sessionId === null) return peerMail.length;
  let count = peerMail.length;
  for (const message of await listUnreadAbout(work.db, taskId, mailAtOnce)) {
    if ((await findAgent(work.db, message.recipientId))?.developerId !== from) continue;
    await passOnMessage(work.db, message, { recipientId: sessionId, updatedAt: work.now });
    count += 1;
  }
  return count;
}

/** Tells the holder of a claim that the caller wants the same code; once, however often it is tried. */
export async function tellOfConflict(
  work: Work,
  ask: {
    sessionId: AgentId | null;
    claim: HeldCode & { expiresAt: number };
    wanted: WantedCode;
  },
): Promise<void> {
  const { claim, sessionId, wanted } = ask;
  const { repo, branch, isRefused, wantedFor } = wanted;
  const told = await listPeerMessages(work.db, {
    type: "conflict",
    from: work.caller.developerId,
    to: claim.developerId,
    isOpen: true,
    liveAt: work.now,
    limit: mailAtOnce,
  });
  const isTold = ({ detail, senderId }: PeerMessage): boolean =>
    detail.claimId === claim.id &&
    detail.wantedFor === wantedFor &&
    senderId === sessionId &&
    (detail.isRefused || !isRefused);
  if (told.some(isTold)) return;
  const [paths, symbols] = [wanted.paths.slice(0, mostNamed), wanted.symbols.slice(0, mostNamed)];
  const message = await post(work, {
    type: "conflict",
    sessionId,
    to: claim.developerId,
    body: "Somebody else wants code that you hold.",
    taskId: claim.taskId,
    detail: { claimId: claim.id, repo, branch, paths, symbols, isRefused, wantedFor },
    expiresAt: claim.expiresAt,
  });
  work.record(
    coordinationEvent.conflictTold(message.id, {
      developer_id: claim.developerId,
      claim_id: claim.id,
      paths: wanted.paths.length,
      symbols: wanted.symbols.length,
    }),
  );
}

const mostNamed = 20;

interface HeldCode {
  readonly id: ClaimId;
  readonly developerId: DeveloperId;
  readonly taskId: TaskId | null;
}

/** The part of a wish that lies in somebody's claim. */
interface WantedCode {
  readonly repo: string;
  readonly branch: string | null;
  readonly paths: readonly string[];
  readonly symbols: readonly string[];
  readonly isRefused: boolean;
  readonly wantedFor: TaskId | undefined;
}

/** A claim is over: what was said about it is settled, and whoever was refused because of it is told. */
export async function settleConflicts(work: SystemWork, claim: HeldCode): Promise<void> {
  const open = await listPeerMessages(work.db, {
    type: "conflict",
    to: claim.developerId,
    isOpen: true,
    limit: mailAtOnce,
  });
  for (const letter of open) {
    if (letter.detail.claimId !== claim.id) continue;
    await savePeerMessage(work.db, letter, { status: "archived", updatedAt: work.now });
    if (!letter.detail.isRefused) continue;
    const channels = letter.senderId === null ? [] : [`agent:${letter.senderId}`];
    const data = { developer_id: letter.fromDeveloperId, claim_id: claim.id };
    work.record(coordinationEvent.codeFreed(letter.id, data, channels));
  }
}

/** No question stays open for longer than was said, whatever the clock said when it was asked. */
export const settleLetters = (work: SystemWork): Promise<void> => shortenLetters(work.db, work.now);
