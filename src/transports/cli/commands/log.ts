import { setTimeout as pause } from "node:timers/promises";
import type { EventView } from "../../../contract/plain-routes.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { type Api, openApi } from "../api.ts";
import { type Context, note, print } from "../context.ts";
import type { Shell } from "../shell.ts";
import { cleanText, shorten, toJson } from "../text.ts";

interface Options {
  readonly watch?: true;
  readonly kind?: string;
  readonly limit: string;
}

const pollMs = 1_000;
const pageSize = 1_000;

export function addLog(shell: Shell): void {
  const command = shell
    .add({
      name: "log",
      summary: "Show what happened last; with --json one event a line",
      examples: ["log", "log --limit 100 --kind agent.registered", "log --watch"],
    })
    .option("--watch", "go on showing what happens, until Ctrl-C")
    .option("--kind <kind>", "only events of this kind")
    .option("--limit <number>", "at most so many of the past", "20");
  shell.does<Options>(command, async (context, options) => {
    const limit = readLimit(options.limit);
    const api = await openApi(context);
    const { events, next } = await readLast(api, options.kind, limit);
    for (const event of events) show(context, event);
    if (events.length === 0) note(context, "Nothing has happened yet. Let an agent call agent_register.");
    for (let cursor = next; options.watch; await pause(pollMs)) {
      const page = await api.read("/api/events", { kind: options.kind, limit: pageSize, after: cursor });
      for (const event of page.events) show(context, event);
      cursor = page.next;
    }
    return undefined;
  });
}

interface Page {
  readonly events: readonly EventView[];
  readonly next: string | undefined;
}

/** The end of the ledger, oldest first, and where to go on from it. */
async function readLast(api: Api, kind: string | undefined, limit: number): Promise<Page> {
  const last: EventView[] = [];
  let end: string | undefined;
  for (let before: string | undefined; ; ) {
    const most = Math.min(pageSize, Math.max(1, limit - last.length));
    const page = await api.read("/api/events", { kind, limit: most, newest: true, before });
    end ??= page.events[0]?.cursor;
    last.push(...page.events.slice(0, limit - last.length));
    if (page.events.length < most || last.length >= limit) return { events: last.reverse(), next: end };
    before = page.next;
  }
}

function show({ isJson }: Context, event: EventView): void {
  print(isJson ? toJson(event) : lineOf(event));
}

function lineOf({ ts, kind, subject, data: { id: _id, ...data } }: EventView): string {
  const facts = Object.entries(data).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : toJson(value)}`,
  );
  const [when, what, whom, rest] = [ts.replace("T", " ").slice(0, 19), kind, subject, facts.join(" ")].map(cleanText);
  return `${when}  ${what?.padEnd(20)}  ${whom}  ${shorten(rest ?? "", 160)}`.trimEnd();
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,6}$/.test(text)) return limit;
  throw new Refusal("INVALID_REQUEST", "--limit is a whole number.", "For example: crewdeck log --limit 50");
}
