import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool, read } from "../../data/api.ts";
import { deck } from "../../data/deck.ts";
import type { LiveEvent } from "../../data/event.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { actUndoably } from "../../parts/undo.ts";

/** Something that waits for a person. */
export type Item = AnswerOf<"inbox">["items"][number];

/** What waits for the reader, or for anyone of the team. */
export const inboxReading = (scope: "mine" | "everyone"): Reading<readonly Item[]> => readings[scope];

const readings = { mine: readingOf(false), everyone: readingOf(true) };

function readingOf(everyone: boolean): Reading<readonly Item[]> {
  return {
    key: `inbox ${everyone}`,
    load: async (signal) => (await read("/api/inbox", { everyone, limit: 100 }, signal)).items,
    applyEvent: (items, event) => (isQuiet(event) ? items : readAgain),
  };
}

/** Signs of life come all the time and bring nothing into the inbox. */
const quiet = ["agent.heartbeat", "session.seen", "session.activityLogged", "session.snapshotTaken", "task.checked"];
const isQuiet = ({ kind }: LiveEvent): boolean => quiet.includes(kind);

interface Kind {
  readonly words: string;
  readonly tone: "waiting" | "blocked" | "failed" | "stale";
  /** What is said where nobody gave it words of its own. */
  readonly untitled?: string;
  /** Where the reader sees more of it. */
  link?(id: string): string;
}

const kinds: Readonly<Record<Item["kind"], Kind>> = {
  blocked_start: { words: "possible duplicate", tone: "waiting", link: (id) => `/overlap/${id}` },
  ask: { words: "asks", tone: "waiting" },
  handoff: { words: "offers a handoff", tone: "waiting" },
  issue: { words: "needs a decision", tone: "waiting" },
  agent_waiting: { words: "agent waiting", tone: "waiting", link: (id) => `/instances/${id}` },
  agent_failed: { words: "agent ended", tone: "failed", link: (id) => `/instances/${id}` },
  review_limit: {
    words: "review limit",
    untitled: "All review rounds are used",
    tone: "waiting",
    link: (id) => `/instances/${id}?tab=reviews`,
  },
  pull_request: { words: "pull request", tone: "waiting", link: (id) => `/pulls/${id}` },
  collision: {
    words: "conflict for 10 minutes",
    untitled: "Two worktrees conflict",
    tone: "blocked",
    link: (id) => `/collisions?pair=${id}`,
  },
  failed_task: { words: "failed", tone: "failed", link: (id) => `/tasks/${id}` },
  doubtful_result: { words: "result to review", tone: "waiting", link: (id) => `/tasks/${id}?tab=changes` },
  blocked_task: { words: "blocked", tone: "blocked", link: (id) => `/tasks/${id}` },
  stale_task: { words: "no change for a day", tone: "stale", link: (id) => `/tasks/${id}` },
  stale_session: {
    words: "stale session",
    untitled: "No activity in this session for 30 minutes",
    tone: "stale",
    link: (id) => `/agents?agent=${id}`,
  },
  refused_claim: { words: "claim refused", untitled: "Another agent has claimed this code", tone: "blocked" },
  budget: { words: "over budget", untitled: "A budget was exceeded", tone: "waiting", link: () => "/usage" },
};

/** A later server may know kinds that this page does not. */
export const kindOf = ({ kind }: Item): Kind =>
  kinds[kind] ?? { words: String(kind).replaceAll("_", " "), tone: "waiting" };

/** What the reader can do about it right here: at once, or in a dialog that shows more of it and asks for words. */
interface Answer {
  readonly label: string;
  readonly dialog?: "ask" | "blocked_start" | "handoff" | "refused_claim";
  /** Whether only the one it waits for can do it. */
  readonly isOwn?: boolean;
  give?(id: string): Promise<unknown>;
  readonly done?: string;
}

const answers: Readonly<Partial<Record<Item["kind"], Answer>>> = {
  blocked_start: { label: "Decide", dialog: "blocked_start", isOwn: true },
  ask: { label: "Answer", dialog: "ask", isOwn: true },
  handoff: { label: "Review", dialog: "handoff", isOwn: true },
  refused_claim: { label: "Show", dialog: "refused_claim", isOwn: true },
  issue: { label: "Resolve", give: (id) => callTool("issue_resolve", { id }), done: "Issue resolved." },
  review_limit: {
    label: "Allow one more",
    give: (id) => callTool("review_grant", { id }),
    done: "One more review is allowed.",
  },
  failed_task: {
    label: "Retry",
    give: (id) => callTool("task_update_status", { id, status: "pending" }),
    done: "Task queued again.",
  },
  doubtful_result: {
    label: "Accept",
    give: (id) => callTool("result_accept", { task_id: id }),
    done: "Result accepted.",
  },
  stale_session: {
    label: "End session",
    give: (id) => callTool("covibe_session", { operation: "end", session_id: id }),
    done: "Session ended.",
  },
};

export const keyOf = ({ kind, id }: Item): string => `${kind} ${id}`;

export function answerTo(item: Item): Answer | undefined {
  const answer = answers[item.kind];
  return answer?.isOwn && item.developer !== deck.state.person?.handle ? undefined : answer;
}

/** Every act can be taken back for a few seconds; once sent it stays out of sight until the inbox was read again. */
export const act = (key: string, text: string, commit: () => Promise<unknown>): void =>
  actUndoably({
    key,
    text,
    async commit() {
      await commit();
      await Promise.all(Object.values(readings).map((reading) => deck.store.reload(reading.key)));
    },
  });
