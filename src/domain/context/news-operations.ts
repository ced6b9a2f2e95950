import type { LedgerEntry } from "../../contract/event.ts";
import { AgentId, DeveloperId, MessageId, NoteId, TaskId, WorkflowId } from "../../contract/ids.ts";
import { shortened } from "../../contract/shortened.ts";
import type { Db } from "../../storage/db.ts";
import { isFree } from "../claim/operations.ts";
import { findClaim } from "../claim/queries.ts";
import { listEntriesOfKinds, readHead } from "../ledger/queries.ts";
import { findNotice } from "../message/notice-queries.ts";
import type { PeerMessage } from "../message/peer-model.ts";
import { findPeerMessage } from "../message/peer-queries.ts";
import { findTask } from "../task/queries.ts";
import { listAvailableTasks } from "../task/queue-queries.ts";
import { workflowIdsUnderWay } from "../workflow/queries.ts";
import type { Heard, Listener, News, NewsKind } from "./news-model.ts";
import { findIssue, findLetter } from "./news-queries.ts";
import { eventKindsOf, isFor, isOwnDoing, readyingKinds } from "./news-rules.ts";

interface NewsAsk {
  readonly listener: Listener;
  readonly kinds: readonly NewsKind[];
  readonly after: number;
  readonly now: number;
  readonly limit: number;
}

const pageSize = 500;
/** Enough to know what it is about; the record has the rest. */
const mostWords = 200;

/** What concerns a listener and has happened after a place, oldest first, and up to where was looked. */
export async function listNews(db: Db, ask: NewsAsk): Promise<Heard> {
  const head = await readHead(db);
  const kinds = eventKindsOf(ask.kinds);
  const news: News[] = [];
  const readied = new Map<WorkflowId, LedgerEntry>();
  let place = ask.after;
  while (news.length < ask.limit) {
    const page = await listEntriesOfKinds(db, { after: place, kinds, limit: pageSize });
    for (const entry of page) {
      place = entry.seq;
      const one = await readNews(db, entry, ask);
      if (one !== undefined && ask.kinds.includes(one.kind)) news.push(one);
      const workflow = ask.kinds.includes("task") ? readiedBy(entry, ask.listener) : undefined;
      if (workflow !== undefined) readied.set(workflow, entry);
      if (news.length >= ask.limit) break;
    }
    if (page.length < pageSize) {
      if (news.length < ask.limit) place = Math.max(place, head.seq);
      break;
    }
  }
  for (const [id, entry] of readied) news.push(...(await listReadied(db, id, entry)));
  return { news: news.sort((one, other) => one.at - other.at), place };
}

function readiedBy({ kind, subject, data }: LedgerEntry, { workflows }: Listener): WorkflowId | undefined {
  if (!readyingKinds.has(kind)) return undefined;
  const id = WorkflowId.safeParse(kind.startsWith("workflow.") ? subject : data["workflow_id"]).data;
  return id !== undefined && workflows.has(id) ? id : undefined;
}

/** The next free task of a workflow, if there is one by now. */
async function listReadied(db: Db, workflowId: WorkflowId, { at }: LedgerEntry): Promise<News[]> {
  const [task] = await listAvailableTasks(db, { among: workflowIdsUnderWay(db), workflowId, limit: 1, offset: 0 });
  if (!task) return [];
  return [{ ...nobody, kind: "task", type: "tasksReady", at, about: task.id, words: task.name }];
}

const nobody = { agentId: null, by: null } as const;

/** One entry as news for a listener; undefined where it does not concern them or is settled by now. */
async function readNews(db: Db, entry: LedgerEntry, ask: NewsAsk): Promise<News | undefined> {
  const { kind } = entry;
  if (kind === "message.sent") return readMail(db, entry, ask);
  if (kind === "coordination.replied") return readNotice(db, entry, ask, "answer", String(entry.data["ask_id"]));
  if (kind.startsWith("scope.") || kind === "claim.released") {
    return readNotice(db, entry, ask, "decision", entry.subject);
  }
  if (kind === "collision.told") return readCollision(db, entry, ask);
  if (kind.startsWith("coordination.")) return readLetter(db, entry, ask);
  if (kind === "note.resolved") return readResolved(db, entry, ask);
  if (kind.startsWith("receipt.") || kind === "task.cancelled") return readVerdict(db, entry, ask);
  return undefined;
}

const byOf = ({ developerId, data }: LedgerEntry) => ({
  by: developerId === null ? null : DeveloperId.parse(developerId),
  agentId: AgentId.safeParse(data["session_id"]).data ?? null,
});

async function readMail(db: Db, entry: LedgerEntry, { listener }: NewsAsk): Promise<News | undefined> {
  if (!listener.agents.has(String(entry.data["recipient_id"]))) return undefined;
  const letter = await findLetter(db, MessageId.parse(entry.subject));
  // Read meanwhile: the agent knows it.
  if (letter?.status !== "unread") return undefined;
  return {
    kind: "message",
    type: "mail",
    at: entry.at,
    about: entry.subject,
    agentId: letter.senderId,
    by: byOf(entry).by,
    words: letter.subject,
  };
}

/** What was decided or answered left a notice for whoever it is for; one that another answer carried is known. */
async function readNotice(
  db: Db,
  entry: LedgerEntry,
  { listener }: NewsAsk,
  kind: "answer" | "decision",
  about: string,
): Promise<News | undefined> {
  const notice = await findNotice(db, { developerId: listener.developerId, about });
  if (!notice || !isFor(listener, notice.agentId)) return undefined;
  if (notice.deliveredAt !== null && !notice.isHeard) return undefined;
  return { ...byOf(entry), kind, type: "notice", at: entry.at, about, words: notice.text, noticeId: notice.id };
}

/** Both agents that collide may be one developer's: each has a notice of its own. */
async function readCollision(db: Db, entry: LedgerEntry, { listener }: NewsAsk): Promise<News | undefined> {
  const about = entry.subject;
  const agentId = AgentId.parse(entry.data["agent_id"]);
  const notice = await findNotice(db, { developerId: listener.developerId, about, agentId });
  if (!notice || !listener.agents.has(agentId) || (notice.deliveredAt !== null && !notice.isHeard)) return undefined;
  const { text: words, id: noticeId } = notice;
  return { ...nobody, kind: "conflict", type: "collision", at: entry.at, about, words, noticeId };
}

/** Questions, handoffs, announcements and conflicts: messages between developers. */
async function readLetter(db: Db, entry: LedgerEntry, { listener, now }: NewsAsk): Promise<News | undefined> {
  const letter = await findPeerMessage(db, MessageId.parse(entry.subject));
  if (!letter || isOwnDoing(listener, entry)) return undefined;
  const isToMe = letter.toDeveloperId === listener.developerId;
  const isOpen = letter.status === "unread" && (letter.expiresAt === null || letter.expiresAt > now);
  const common = { ...byOf(entry), at: entry.at, about: entry.subject, words: shortened(letter.body, mostWords) };
  switch (entry.kind) {
    case "coordination.asked":
      return isToMe && isOpen ? { ...common, kind: "message", type: "question" } : undefined;
    case "coordination.announced":
      return isOpen ? { ...common, kind: "message", type: "announcement" } : undefined;
    case "coordination.offered":
      return isToMe && isOpen ? { ...common, kind: "task", type: "handoff" } : undefined;
    case "coordination.accepted": {
      const isMine = letter.fromDeveloperId === listener.developerId && isFor(listener, letter.senderId);
      return isMine ? { ...common, kind: "answer", type: "handoffAccepted" } : undefined;
    }
    case "coordination.codeFreed": {
      const isMine = letter.fromDeveloperId === listener.developerId && isFor(listener, letter.senderId);
      return isMine ? readFreed(db, letter, { ...common, now }) : undefined;
    }
    default: {
      const { claimId } = letter.detail;
      const claim = claimId === undefined ? undefined : await findClaim(db, claimId);
      if (!isToMe || !isOpen || !claim || claim.endedAt !== null || !isFor(listener, claim.sessionId)) return undefined;
      return { ...common, kind: "conflict", type: "codeWanted", words: namesOf(letter) };
    }
  }
}

const namesOf = ({ detail: { paths = [], symbols = [] } }: PeerMessage): string | null =>
  [...paths, ...symbols].join(", ") || null;

/** Free, unless somebody has taken it meanwhile. */
async function readFreed(
  db: Db,
  letter: PeerMessage,
  { now, ...common }: Omit<News, "kind" | "type"> & { readonly now: number },
): Promise<News | undefined> {
  const { repo, branch = null, paths = [], symbols = [] } = letter.detail;
  if (typeof repo !== "string" || !(await isFree({ db, now }, { repo, branch, paths, symbols }))) return undefined;
  return { ...common, kind: "conflict", type: "codeFreed", words: namesOf(letter) };
}

async function readResolved(db: Db, entry: LedgerEntry, { listener }: NewsAsk): Promise<News | undefined> {
  const issue = await findIssue(db, NoteId.parse(entry.subject));
  if (!issue || issue.taskId === null || !listener.tasks.has(issue.taskId)) return undefined;
  return {
    ...byOf(entry),
    kind: "decision",
    type: "issueResolved",
    at: entry.at,
    about: entry.subject,
    words: shortened(issue.summary, mostWords),
  };
}

/** What became of the listener's own work without their doing. */
async function readVerdict(db: Db, entry: LedgerEntry, { listener }: NewsAsk): Promise<News | undefined> {
  const id = TaskId.parse(entry.subject);
  if (!listener.tasks.has(id) || isOwnDoing(listener, entry)) return undefined;
  const task = await findTask(db, id);
  if (!task) return undefined;
  const common = { ...byOf(entry), at: entry.at, about: id, words: task.name };
  if (entry.kind === "task.cancelled") return { ...common, kind: "decision", type: "taskCancelled" };
  if (entry.kind === "receipt.accepted") return { ...common, kind: "review", type: "resultAccepted" };
  const checks = { passed: Number(entry.data["passed"]), failed: Number(entry.data["failed"]) };
  return { ...common, ...nobody, kind: "review", type: "checksRun", checks };
}
