import type { AnswerOf, QueryAt } from "../../../tools/calls.ts";
import { read } from "../../data/api.ts";
import type { LiveEvent } from "../../data/event.ts";
import { learnName } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";

type Sessions = AnswerOf<"session_list">;
/** Of a private developer's session little more than that it is there. */
export type Session = Sessions["sessions"][number];
export type Snapshot = NonNullable<Session["snapshot"]>;
/** Code that somebody holds; those beside the sessions are held without one. */
export type Claim = Sessions["claims"][number];

export type Which = "here" | "ended";

const pageSize = 200;
/** How many the reader has scrolled to. */
const wanted: Record<Which, number> = { here: pageSize, ended: pageSize };

export const sessionsReading = (which: Which): Reading<Sessions> => readings[which];

const readings = { here: readingOf("here"), ended: readingOf("ended") };

function readingOf(which: Which): Reading<Sessions> {
  return {
    key: `sessions ${which}`,
    async load(signal) {
      const sessions: Session[] = [];
      let page: Sessions = { sessions, claims: [], more: true };
      let claims: readonly Claim[] = [];
      for (let offset = 0; offset < wanted[which] && page.more; offset += pageSize) {
        page = await ask({ ended: which === "ended", offset, limit: pageSize }, signal);
        sessions.push(...page.sessions);
        if (offset === 0) claims = page.claims;
      }
      return { sessions, claims, more: page.more };
    },
    applyEvent: applyToSessions,
  };
}

/** One session alone, with all its files. */
export const sessionReading = (id: string): Reading<Sessions> => ({
  key: `session ${id}`,
  load: (signal) => ask({ session_id: id }, signal),
  applyEvent: applyToSessions,
});

async function ask(query: QueryAt<"/api/sessions">, signal: AbortSignal): Promise<Sessions> {
  const answer = await read("/api/sessions", query, signal);
  for (const { id, agent_name } of answer.sessions) learnName(id, agent_name);
  return answer;
}

/** Makes the next reading longer; false where everything is there. */
export function wantMore({ sessions, more }: Sessions, which: Which): boolean {
  if (!more || sessions.length < wanted[which]) return false;
  wanted[which] += pageSize;
  return true;
}

/** Signs of life are told by the event itself; everything else about sessions is read. */
export function applyToSessions(value: Sessions, event: LiveEvent): Sessions | typeof readAgain {
  const { kind, subject, ts } = event;
  if (kind === "session.seen" || kind === "session.activityLogged") {
    const known = value.sessions.find(({ id }) => id === subject);
    if (!known || known.last_seen_at >= ts) return value;
    return { ...value, sessions: value.sessions.map((one) => (one === known ? { ...one, last_seen_at: ts } : one)) };
  }
  return changing.some((noun) => kind.startsWith(noun)) ? readAgain : value;
}

const changing = ["session.", "claim.", "context.", "span.", "developer.updated"];

/** Silent for longer than this a session is stale. */
const staleAfterMs = 30 * 60_000;

type Liveness = "active" | "stale" | "ended";

/** Told by the clock: no event says that nothing happens. */
export function livenessOf({ ended_at, last_seen_at }: Session, now: number): Liveness {
  if (ended_at !== null) return "ended";
  return now - Date.parse(last_seen_at) > staleAfterMs ? "stale" : "active";
}

/** Who is at work first, then who is silent; the last heard of first. */
export function chooseSessions(sessions: readonly Session[], text: string, now: number): Session[] {
  const words = text.trim().toLowerCase();
  return sessions
    .filter((session) => textOf(session).includes(words))
    .sort(
      (one, other) =>
        order.indexOf(livenessOf(one, now)) - order.indexOf(livenessOf(other, now)) ||
        (other.ended_at ?? other.last_seen_at).localeCompare(one.ended_at ?? one.last_seen_at),
    );
}

const order: readonly Liveness[] = ["active", "stale", "ended"];

const textOf = (session: Session): string =>
  [session.agent_name, session.developer, session.agent_type, session.model, session.repo, session.branch]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();

/** Whose it is, with which program and which model; a private name is said once. */
export const sayWho = ({ agent_name, developer, agent_type, model }: Session): string =>
  [developer === agent_name ? "" : developer, agent_type, model].filter(Boolean).join(" · ");

export const sayPlace = ({ repo, branch }: Session): string => [repo, branch].filter(Boolean).join(" · ");

/** What it has changed and nobody else has yet. */
export function sayChanges({ snapshot }: Session): string {
  if (!snapshot) return "";
  const { dirty_total: dirty, unpushed_total: unpushed } = snapshot;
  if (dirty + unpushed === 0) return "clean";
  return [dirty > 0 ? `${dirty} dirty` : "", unpushed > 0 ? `${unpushed} unpushed` : ""].filter(Boolean).join(" · ");
}

/** What is held, in a line. */
export const sayHeld = ({ paths, symbols }: Claim): string => [...paths, ...symbols].join(", ");
