import { baseUrlFrom } from "../../../adapters/base-url.ts";
import { findServer } from "../../../adapters/server-process.ts";
import type { ServerStatus } from "../../../contract/plain-routes.ts";
import { toolVersion } from "../../../contract/versions.ts";
import { type Api, apiAt } from "../api.ts";
import type { Context } from "../context.ts";
import type { Shell } from "../shell.ts";
import { count, durationText, table, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";
import { readTeam, type Team, teamLines, teamRows } from "./team-glance.ts";

export function addStatus(shell: Shell): void {
  const command = shell
    .add({
      name: "status",
      summary: "Show the server and the team at a glance: who works on what, and what waits for you",
      examples: ["status", "status --watch", "status --json"],
    })
    .option("--watch", "show it again whenever it changes, until Ctrl-C");
  shell.does<{ watch?: true }>(command, async (context, { watch = false }) => {
    await showOrWatch(context, watch, async () => {
      const url = baseUrlFrom(context.env) ?? (await findServer(context.home))?.url;
      return url === undefined ? tellNone(context) : tellStatus(context, url);
    });
    return undefined;
  });
}

const tellNone = ({ isJson, home }: Context): string[] =>
  isJson
    ? [toJson({ running: false, home: home.dir })]
    : [`No server runs in ${home.dir}. Start one with: crewdeck up`];

async function tellStatus(context: Context, url: string): Promise<string[]> {
  const api = apiAt(url, context);
  const { status } = await api.read("/status", {});
  const unread = await countUnread(api);
  const team = await readTeam(api);
  if (context.isJson) return [toJson({ running: true, home: context.home.dir, url, unread, ...status, team })];
  return [...table(rowsOf(url, status, unread, team)), ...teamLines(team)];
}

const rowsOf = (url: string, status: ServerStatus, unread: number, team: Team): string[][] => [
  ["Server", `${url}, process ${status.pid}, up ${durationText(status.uptimeMs)}, version ${status.versions.tool}`],
  ["Store", `${status.store.dialect} ${status.store.location}${readOnlyText(status)}`],
  ["Agents", agentsText(status.agents)],
  ["Unread", unread === 0 ? "nothing waits for your agents" : `${count(unread, "message")} for your agents`],
  ...teamRows(team),
  ...(status.versions.tool === toolVersion
    ? []
    : [["Note", `this is version ${toolVersion}; restart with: crewdeck stop`]]),
];

const readOnlyText = ({ store }: ServerStatus): string =>
  store.readOnlyReason === null ? "" : ` (read-only: ${store.readOnlyReason})`;

function agentsText(agents: Readonly<Record<string, number>>): string {
  const counted = Object.entries(agents).filter(([, amount]) => amount > 0);
  return counted.length === 0
    ? "none yet; an agent joins with agent_register"
    : counted.map(([status, amount]) => `${amount} ${status}`).join(", ");
}

/** The latest live agents of whoever asks; other people's mailboxes are theirs. */
const mostMailboxes = 20;

async function countUnread(api: Api): Promise<number> {
  const { handle } = await api.read("/api/me", {});
  const { agents } = await api.read("/api/agents", { status: ["online", "busy"] });
  const own = agents.filter((agent) => agent.developer === handle).slice(0, mostMailboxes);
  const counts = await Promise.all(own.map(({ id }) => api.call("message_count_unread", { agent_id: id })));
  return counts.reduce((sum, { count: unread }) => sum + unread, 0);
}
