import type { EventFilters } from "../../../contract/plain-routes.ts";
import { read } from "../../data/api.ts";
import type { LiveEvent } from "../../data/event.ts";
import { learnName } from "../../data/names.ts";
import { sayAbout, sayEvent } from "../../data/say-event.ts";
import type { Reading } from "../../data/store.ts";
import { toldOnce } from "../../data/told-once.ts";

/** The end of the ledger, newest first, as far back as somebody has scrolled. */
export interface Activity {
  readonly events: readonly LiveEvent[];
  /** Where older pages go on; undefined when there is nothing before. */
  readonly older: string | undefined;
}

const pageSize = 200;
/** A deck that stays open for days keeps this much; what is older is read again when somebody scrolls there. */
const mostKept = 5_000;

/** What the server chooses by; the words are looked for here. */
interface LedgerPart {
  /** A noun, `task`; all of them if empty. */
  readonly about: string;
  readonly withHeartbeats: boolean;
}

const readings = new Map<string, Reading<Activity>>();

/** One reading for each part of the ledger, so that a view that is drawn again does not read again. */
export function activityReading(part: LedgerPart): Reading<Activity> {
  const key = `activity ${part.about} ${part.withHeartbeats}`;
  const known = readings.get(key);
  if (known) return known;
  const made: Reading<Activity> = {
    key,
    load: (signal) => readPage(part, undefined, signal),
    applyEvent: (activity, event) => (isIn(event, part) ? addEvent(activity, event) : activity),
  };
  readings.set(key, made);
  return made;
}

const isIn = ({ kind }: LiveEvent, { about, withHeartbeats }: LedgerPart): boolean =>
  (withHeartbeats || kind !== heartbeat) && (about === "" || kind.startsWith(`${about}.`));

const heartbeat = "agent.heartbeat";

const queryOf = ({ about, withHeartbeats }: LedgerPart): EventFilters => ({
  about,
  without: withHeartbeats ? undefined : heartbeat,
});

/** Each event once: what came while the page was read may be in it already. */
function addEvent(activity: Activity, event: LiveEvent): Activity {
  const isKnown = activity.events.slice(0, 2 * pageSize).some((known) => known.cursor === event.cursor);
  if (isKnown) return activity;
  const events = [event, ...activity.events.slice(0, mostKept - 1)];
  const isCut = events.length <= activity.events.length;
  return { events, older: isCut ? events.at(-1)?.cursor : activity.older };
}

export async function readPage(part: LedgerPart, before: string | undefined, signal?: AbortSignal): Promise<Activity> {
  const query = { ...queryOf(part), newest: true, limit: pageSize, before };
  const { events, next } = await read("/api/events", query, signal);
  for (const { subject, data } of events) if (typeof data["name"] === "string") learnName(subject, data["name"]);
  return { events, older: events.length < pageSize ? undefined : next };
}

export const appendPage = (activity: Activity, page: Activity): Activity => ({
  events: [...activity.events, ...page.events],
  older: page.older,
});

export interface ActivityFilter extends LedgerPart {
  readonly text: string;
}

/** The nouns of the ledger in words, in the order in which people ask for them. */
export const nouns: Readonly<Record<string, string>> = {
  task: "tasks",
  workflow: "workflows",
  workstream: "workstreams",
  mission: "missions",
  phase: "phases",
  note: "notes and decisions",
  receipt: "receipts",
  scope: "verdicts",
  warning: "warnings",
  message: "messages",
  coordination: "questions and handoffs",
  context: "contexts",
  agent: "agents",
  session: "sessions",
  claim: "claims",
  collision: "collisions",
  base: "outdated worktrees",
  span: "usage",
  budget: "budgets",
  weekly_summary: "summaries",
  artifact: "downloads",
  finding: "findings",
  parallel_work: "audits",
  worktree: "worktrees",
  instance: "instances",
  review: "reviews",
  pull: "pull requests",
  issue: "filed issues",
  vault: "the vault",
  template: "templates",
  repository: "repositories",
  checks: "checks",
  developer: "people",
  team: "teams",
  token: "tokens",
  device: "machines",
  machine: "machines",
  recovery: "recoveries",
};

/** What the page shows: each act once. */
export const chooseActs = (events: readonly LiveEvent[], text: string): readonly LiveEvent[] =>
  chooseEvents(toldOnce(events), text);

const chooseEvents = (events: readonly LiveEvent[], text: string): readonly LiveEvent[] =>
  text === "" ? events : events.filter((event) => textOf(event).includes(text.toLowerCase()));

function textOf(event: LiveEvent): string {
  const said = sayEvent(event);
  return [event.kind, event.event, event.subject, sayAbout(said), said.what, said.more].join(" ").toLowerCase();
}

/** The whole ledger from its start, page by page, as far as it fits the filter. */
export async function collectAll(filter: ActivityFilter): Promise<LiveEvent[]> {
  const found: LiveEvent[] = [];
  for (let after: string | undefined; ; ) {
    const { events, next } = await read("/api/events", { ...queryOf(filter), after, limit: 1_000 });
    found.push(...chooseEvents(events, filter.text));
    if (events.length < 1_000) return found;
    after = next;
  }
}

export const toJsonLines = (events: readonly LiveEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");

export function toCsv(events: readonly LiveEvent[]): string {
  const head = ["time", "event", "kind", "subject", "name", "data"];
  const rows = events.map((event) => [
    event.ts,
    event.event,
    event.kind,
    event.subject,
    sayAbout(sayEvent(event)),
    JSON.stringify(event.data),
  ]);
  return [head, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

/** A cell that begins like a formula would be run by spreadsheets. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
