import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import type { Shell } from "../shell.ts";
import { cleanText, count, durationText, shorten, table, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type Listing = AnswerOf<"session_list">;
type Session = Listing["sessions"][number];

interface Options {
  readonly ended?: true;
  readonly watch?: true;
  readonly limit: string;
  readonly offset: string;
}

export function addSessions(shell: Shell): void {
  const command = shell
    .add({
      name: "sessions",
      summary: "Show every session: when it was last heard of, where it works, what it has changed, holds and has used",
      examples: ["sessions", "sessions --ended", "sessions --watch", "sessions --json"],
    })
    .option("--ended", "those that have ended instead of those that go on")
    .option("--limit <number>", "at most so many", "50")
    .option("--offset <number>", "skip so many", "0")
    .option("--watch", "show it again whenever it changes, until Ctrl-C");
  shell.does<Options>(command, async (context, { ended = false, watch = false, limit, offset }) => {
    const api = await openApi(context);
    await showOrWatch(context, watch, async () => {
      const listing = await api.read("/api/sessions", { ended, limit: Number(limit), offset: Number(offset) });
      return context.isJson ? [toJson(listing)] : sessionLines(listing, ended);
    });
    return undefined;
  });
}

export function sessionLines({ sessions, more }: Pick<Listing, "sessions" | "more">, ended: boolean): string[] {
  if (sessions.length === 0)
    return [ended ? "No session has ended." : "No session is there. Agents start one with covibe_session."];
  const heading = ["AGENT", "WHOSE", "STATUS", "SEEN", "WHERE", "CHANGED", "HOLDS", "USED", "ID"];
  return [
    ...table([heading, ...sessions.map(rowOf)]),
    ...(more ? ["", "There are more: --limit and --offset show them."] : []),
  ];
}

const rowOf = (session: Session): string[] => [
  shorten(cleanText([session.agent_name, session.model ?? session.agent_type].filter(Boolean).join(", ")), 40),
  cleanText(session.developer),
  session.status,
  `${durationText(Date.now() - Date.parse(session.ended_at ?? session.last_seen_at))} ago`,
  shorten(cleanText([session.repo, session.branch].filter(Boolean).join(" ")), 40) || "-",
  session.snapshot ? `${session.snapshot.dirty_total} dirty, ${session.snapshot.unpushed_total} unpushed` : "-",
  session.claims.length === 0 ? "-" : count(session.claims.length, "claim"),
  session.usage ? `${session.usage.total} tokens, $${session.usage.cost_usd.toFixed(2)}` : "-",
  session.id,
];
