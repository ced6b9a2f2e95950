import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool, read } from "../../data/api.ts";
import type { LiveEvent } from "../../data/event.ts";
import { type Reading, readAgain } from "../../data/store.ts";

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

const kinds: Readonly<Record<string, Kind>> = {
  blocked_start: { words: "possible duplicate", tone: "waiting", link: (id) => `/overlap/${id}` },
  ask: { words: "asks", tone: "waiting" },
  handoff: { words: "offers a handoff", tone: "waiting" },
  issue: { words: "needs a decision", tone: "waiting" },
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
  refused_claim: {
    words: "claim refused",
    untitled: "Another agent has claimed this code",
    tone: "blocked",
    link: () => "/agents",
  },
  budget: { words: "over budget", untitled: "A budget was exceeded", tone: "waiting", link: () => "/usage" },
};

export const kindOf = (item: Item): Kind =>
  kinds[item.kind] ?? { words: item.kind.replaceAll("_", " "), tone: "waiting" };

/** What the reader can do about it right here: one call, perhaps with words of their own. */
export interface Answer {
  readonly label: string;
  /** The label of the field for the reader's words, where some are needed. */
  readonly asks?: string;
  /** Shown in full before it can be answered. */
  readonly isShownFirst?: boolean;
  give(id: string, words: string): Promise<unknown>;
  readonly done: string;
}

const answers: Readonly<Record<string, Answer>> = {
  ask: {
    label: "Answer",
    asks: "Your answer",
    give: (id, answer) => callTool("covibe_coordination", { operation: "reply", ask_id: id, answer }),
    done: "Answer sent.",
  },
  handoff: {
    label: "Accept",
    isShownFirst: true,
    give: (id) => callTool("covibe_coordination", { operation: "accept", handoff_id: id }),
    done: "Handoff accepted.",
  },
  issue: { label: "Resolve", give: (id) => callTool("issue_resolve", { id }), done: "Issue resolved." },
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

export const answerTo = (item: Item): Answer | undefined => answers[item.kind];
