import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import { plainScreen, type Screen, styleOf } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { type Cell, table } from "../table.ts";
import { agoText, amountText, count, durationText, none, shortIds, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type Crew = AnswerOf<"crew_list">;
type Member = Crew["agents"][number];

interface Options {
  readonly ended?: true;
  readonly watch?: true;
  readonly limit: string;
  readonly offset: string;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Agents with and without a session: one that registered is as much there as one that started a session. */
export function addSessions(shell: Shell): void {
  const command = shell
    .add({
      name: "sessions",
      summary: "List agents: client, owner, task, branch, changed files, claims and cost",
      examples: ["sessions", "sessions --ended --limit 10", "sessions --watch", "sessions --json"],
    })
    .option("--ended", "show offline agents instead")
    .option("--limit <number>", "maximum number of agents", "50")
    .option("--offset <number>", "skip this many", "0")
    .option("--watch", "refresh when something changes, until Ctrl-C");
  shell.does<Options>(command, async (context, { ended = false, watch = false, ...page }) => {
    const api = await openApi(context);
    const asked = { limit: Number(page.limit), offset: Number(page.offset) };
    await showOrWatch(context, watch, async () => {
      const crew = await readCrew(api, ended, asked);
      if (!context.isJson)
        return agentLines(ended ? crew : { ...crew, agents: inOrder(crew.agents) }, ended, context.screen);
      const listing = await api.read("/api/sessions", { ended, ...asked });
      return [toJson({ ...listing, agents: crew.agents, more: listing.more || crew.more })];
    });
    return undefined;
  });
}

/** People who write messages have an address among the agents, and are none. */
async function readCrew(api: Api, offline: boolean, page: Page): Promise<Crew> {
  const { agents, more } = await api.read("/api/crew", { offline, ...page });
  return { agents: agents.filter(({ is_person }) => !is_person), more };
}

const order: readonly Member["status"][] = ["working", "idle", "stale", "offline"];

/** At work first, then by name: with `--watch` rows stay where they are while agents speak in turn. */
const inOrder = (agents: readonly Member[]): Member[] =>
  [...agents].sort(
    (one, other) => order.indexOf(one.status) - order.indexOf(other.status) || one.name.localeCompare(other.name),
  );

const heading = "AGENT CLIENT OWNER STATUS TASK FOR SEEN WHERE CHANGED CLAIMS USED ID".split(" ");
/** A narrow screen shortens the task and the place, then leaves out what is least asked for. */
const flexible = [7, 4, 0];
const optional = [9, 10, 8, 5, 1, 7, 11, 2];

export function agentLines(
  { agents, more }: Crew,
  ended: boolean,
  screen: Screen = plainScreen,
  now = Date.now(),
): string[] {
  if (agents.length === 0) {
    return [ended ? "No offline agents." : "No agents. They join with covibe_session or agent_register."];
  }
  const short = shortIds(agents.map(({ id }) => id));
  return [
    ...table(agents.map(rowOf(short, now)), { screen, heading, flexible, optional }),
    ...(more ? ["", "There are more: use --limit and --offset."] : []),
  ];
}

const rowOf =
  (short: (id: string) => string, now: number) =>
  ({ tasks, session, ...agent }: Member): Cell[] => [
    agent.name,
    agent.client ?? none,
    agent.developer,
    { text: agent.status, style: styleOf(agent.status) },
    workOf(tasks),
    tasks[0] ? durationText(Math.max(0, now - Date.parse(tasks[0].since))) : none,
    agoText(agent.last_seen_at, now),
    [session?.repo ?? folderOf(agent.folder), agent.branch].filter(Boolean).join(" ") || none,
    session?.snapshot ? `${session.snapshot.dirty_total} dirty, ${session.snapshot.unpushed_total} unpushed` : none,
    session && session.claims.length > 0 ? count(session.claims.length, "claim") : none,
    session?.usage ? `${amountText(session.usage.total)} tokens, $${session.usage.cost_usd.toFixed(2)}` : none,
    { text: short(agent.id), style: "dim" },
  ];

const workOf = ([first, ...others]: Member["tasks"]): string =>
  first === undefined ? none : others.length === 0 ? first.name : `${first.name} and ${others.length} more`;

/** The last part of its path: the way to it is the same for everyone on a machine. */
const folderOf = (path: string | null): string | undefined => path?.split(/[\\/]/).filter(Boolean).at(-1);
