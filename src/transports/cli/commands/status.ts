import { baseUrlFrom } from "../../../adapters/base-url.ts";
import { findServer } from "../../../adapters/server-process.ts";
import { exitCodes } from "../../../contract/errors.ts";
import type { ServerStatus } from "../../../contract/plain-routes.ts";
import { toolVersion } from "../../../contract/versions.ts";
import { type Api, apiAt } from "../api.ts";
import type { Context } from "../context.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { count, durationText, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";
import { readTeam, type Team, teamRows, workLines } from "./team-glance.ts";

export function addStatus(shell: Shell): void {
  const command = shell
    .add({
      name: "status",
      summary: "Show the server, the team's work and what needs you",
      examples: ["status", "status --watch", "status --json"],
    })
    .option("--watch", "refresh when something changes, until Ctrl-C");
  shell.does<{ watch?: true }>(command, async (context, { watch = false }) => {
    let isRunning = true;
    await showOrWatch(context, watch, async () => {
      const url = baseUrlFrom(context.env) ?? (await findServer(context.home))?.url;
      isRunning = url !== undefined;
      return url === undefined ? tellNone(context) : tellStatus(context, url);
    });
    return isRunning ? exitCodes.done : exitCodes.unreachable;
  });
}

const tellNone = ({ isJson, home }: Context): string[] =>
  isJson
    ? [toJson({ running: false, home: home.dir })]
    : [`No server is running in ${home.dir}. Start one with: crewdeck up`];

async function tellStatus(context: Context, url: string): Promise<string[]> {
  const api = apiAt(url, context);
  const { status } = await api.read("/status", {});
  const unread = await countUnread(api);
  const team = await readTeam(api);
  if (context.isJson) return [toJson({ running: true, home: context.home.dir, url, unread, ...status, team })];
  return [...table(rowsOf(url, status, unread, team)), ...(await workLines(api, context.screen))];
}

const rowsOf = (url: string, status: ServerStatus, unread: number, team: Team): string[][] => [
  ["Server", `${url}, up ${durationText(status.uptimeMs)}, version ${status.versions.tool}, process ${status.pid}`],
  ["Store", `${status.store.dialect} ${status.store.location}${readOnlyText(status)}`],
  ["Agents", agentsText(status.agents)],
  ["Unread", unread === 0 ? "no messages for your agents" : `${count(unread, "message")} for your agents`],
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
    ? "none yet; agents join with covibe_session or agent_register"
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
