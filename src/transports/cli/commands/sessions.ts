import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { plainScreen, type Screen, styleOf } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { type Cell, table } from "../table.ts";
import { agoText, amountText, count, none, shortIds, toJson } from "../text.ts";
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
      summary: "List agents at work: client, owner, branch, changed files, claims and cost",
      examples: ["sessions", "sessions --ended --limit 10", "sessions --watch", "sessions --json"],
    })
    .option("--ended", "show ended sessions instead")
    .option("--limit <number>", "maximum number of sessions", "50")
    .option("--offset <number>", "skip this many", "0")
    .option("--watch", "refresh when something changes, until Ctrl-C");
  shell.does<Options>(command, async (context, { ended = false, watch = false, limit, offset }) => {
    const api = await openApi(context);
    await showOrWatch(context, watch, async () => {
      const listing = await api.read("/api/sessions", { ended, limit: Number(limit), offset: Number(offset) });
      return context.isJson ? [toJson(listing)] : sessionLines(listing, ended, context.screen);
    });
    return undefined;
  });
}

const heading = ["AGENT", "CLIENT", "OWNER", "STATUS", "SEEN", "WHERE", "CHANGED", "CLAIMS", "USED", "ID"];

export function sessionLines(
  { sessions, more }: Pick<Listing, "sessions" | "more">,
  ended: boolean,
  screen: Screen = plainScreen,
): string[] {
  if (sessions.length === 0) {
    return [ended ? "No ended sessions." : "No sessions. Agents start one with covibe_session."];
  }
  const short = shortIds(sessions.map(({ id }) => id));
  return [
    ...table(sessions.map(rowOf(short)), { screen, heading, flexible: [5, 0], optional: [8, 7, 6, 1, 5] }),
    ...(more ? ["", "There are more: use --limit and --offset."] : []),
  ];
}

const rowOf =
  (short: (id: string) => string) =>
  (session: Session): Cell[] => [
    session.agent_name,
    session.agent_type ?? session.model ?? none,
    session.developer,
    { text: session.status, style: styleOf(session.status) },
    agoText(session.ended_at ?? session.last_seen_at),
    [session.repo, session.branch].filter(Boolean).join(" ") || none,
    session.snapshot ? `${session.snapshot.dirty_total} dirty, ${session.snapshot.unpushed_total} unpushed` : none,
    session.claims.length === 0 ? none : count(session.claims.length, "claim"),
    session.usage ? `${amountText(session.usage.total)} tokens, $${session.usage.cost_usd.toFixed(2)}` : none,
    { text: short(session.id), style: "dim" },
  ];
