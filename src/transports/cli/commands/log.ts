import { setTimeout as pause } from "node:timers/promises";
import { actorOf, sayHappened } from "../../../contract/event-words.ts";
import type { EventView } from "../../../contract/plain-routes.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { type Api, openApi } from "../api.ts";
import { type Context, note, print } from "../context.ts";
import { nameRecords } from "../names.ts";
import { paint, type Screen } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { cut } from "../table.ts";
import { agoText, cleanText, toJson } from "../text.ts";

interface Options {
  readonly watch?: true;
  readonly kind?: string;
  readonly about?: string;
  readonly limit: string;
}

const pollMs = 1_000;
const pageSize = 1_000;

export function addLog(shell: Shell): void {
  const command = shell
    .add({
      name: "log",
      summary: "Show recent activity; with --json one event per line",
      examples: ["log", "log --about task --limit 100", "log --kind agent.registered", "log --watch"],
    })
    .option("--watch", "keep showing new events, until Ctrl-C")
    .option("--kind <kind>", "only this kind of event, such as task.started (docs/events.md lists them)")
    .option("--about <noun>", "only one noun: agent, session, task, workflow, mission, claim, message, token …")
    .option("--limit <number>", "maximum number of past events", "20");
  shell.does<Options>(command, async (context, { kind, about, limit, watch }) => {
    const most = readLimit(limit);
    const api = await openApi(context);
    const filters = { kind, about };
    const { events, next } = await readLast(api, filters, most);
    await show(context, api, events);
    if (events.length === 0) note(context, "No events yet. Agents join with covibe_session or agent_register.");
    for (let cursor = next; watch; await pause(pollMs)) {
      const page = await api.read("/api/events", { ...filters, limit: pageSize, after: cursor });
      await show(context, api, page.events);
      cursor = page.next;
    }
    return undefined;
  });
}

interface Page {
  readonly events: readonly EventView[];
  readonly next: string | undefined;
}

interface Filters {
  readonly kind: string | undefined;
  readonly about: string | undefined;
}

/** The end of the ledger, oldest first, and where to go on from it. */
async function readLast(api: Api, filters: Filters, limit: number): Promise<Page> {
  const last: EventView[] = [];
  let end: string | undefined;
  for (let before: string | undefined; ; ) {
    const most = Math.min(pageSize, Math.max(1, limit - last.length));
    const page = await api.read("/api/events", { ...filters, limit: most, newest: true, before });
    end ??= page.events[0]?.cursor;
    last.push(...page.events.slice(0, limit - last.length));
    if (page.events.length < most || last.length >= limit) return { events: last.reverse(), next: end };
    before = page.next;
  }
}

async function show({ isJson, screen }: Context, api: Api, events: readonly EventView[]): Promise<void> {
  if (isJson) return events.forEach((event) => void print(toJson(event)));
  if (events.length === 0) return;
  const nameOf = await nameRecords(api, events.flatMap(idsIn));
  for (const event of events) print(lineOf(event, nameOf, screen));
}

const idsIn = (event: EventView): string[] => [
  event.subject,
  ...Object.values(event.data)
    .filter((value) => typeof value === "string" && /^(ag|tk|wf)_/.test(value))
    .map(String),
];

const timeColumns = 11;

/** When, who, and what: `3 min ago  Ada's Claude (claude-code, ada)  Fix login was started`. */
function lineOf(event: EventView, nameOf: (id: string) => string, screen: Screen): string {
  const { about, what, more } = sayHappened(event, nameOf);
  const agent = actorOf(event);
  const subject = "id" in about ? subjectOf(event, about.id, nameOf) : about.words;
  const actor = agent !== undefined && nameOf(agent) !== agent ? nameOf(agent) : (event.actor ?? "Crewdeck");
  const isSame = subject === actor;
  const when = agoText(event.ts).padEnd(timeColumns);
  const full = cleanText(actor);
  // On a narrow screen the name has to do; what happened must stay readable.
  const who = full.length > screen.width / 3 ? full.replace(/ \([^()]*\)$/, "") : full;
  const room = Math.max(20, screen.width - when.length - who.length - 4);
  const said = cleanText(`${what}${more === "" ? "" : ` · ${more}`}`);
  // What happened must stay readable: the name gives way before it does.
  const name = isSame ? "" : `${cut(cleanText(subject), Math.max(16, room - said.length - 1))} `;
  const sentence = `${name}${said}`;
  return `${paint(screen, "dim", when)}  ${paint(screen, "cyan", who)}${isSame ? "" : ":"} ${cut(sentence, room)}`;
}

/** A record without a page of its own is known by the name it was given, else by its kind. */
function subjectOf({ kind, data }: EventView, id: string, nameOf: (id: string) => string): string {
  const name = nameOf(id);
  if (name !== id) return name;
  return typeof data["name"] === "string" ? data["name"] : `A ${kind.split(".")[0] ?? "record"}`;
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,6}$/.test(text)) return limit;
  throw new Refusal("INVALID_REQUEST", "--limit must be a whole number.", "For example: crewdeck log --limit 50");
}
