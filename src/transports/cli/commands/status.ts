import { baseUrlFrom } from "../../../adapters/base-url.ts";
import { findServer } from "../../../adapters/server-process.ts";
import { toolVersion } from "../../../contract/versions.ts";
import { type Api, apiAt } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { count, durationText, table } from "../text.ts";

interface ServerStatus {
  readonly versions: { readonly tool: string };
  readonly pid: number;
  readonly uptimeMs: number;
  readonly store: { readonly dialect: string; readonly location: string; readonly readOnlyReason: string | null };
  readonly agents: Readonly<Record<string, number>>;
  readonly repositories: number;
}

export function addStatus(shell: Shell): void {
  const command = shell.add({
    name: "status",
    summary: "Show the server, its store, the agents and what waits unread",
    examples: ["status", "status --json"],
  });
  shell.does(command, async (context) => {
    const url = baseUrlFrom(context.env) ?? (await findServer(context.home))?.url;
    if (url === undefined) {
      answer(context, { running: false, home: context.home.dir }, () => [
        `No server runs in ${context.home.dir}. Start one with: crewdeck up`,
      ]);
      return undefined;
    }
    const api = apiAt(url, context);
    const { status } = await api.ask<{ status: ServerStatus }>("GET", "/status");
    const unread = await countUnread(api);
    answer(context, { running: true, home: context.home.dir, url, unread, ...status }, () =>
      table([
        [
          "Server",
          `${url}, process ${status.pid}, up ${durationText(status.uptimeMs)}, version ${status.versions.tool}`,
        ],
        ["Store", `${status.store.dialect} ${status.store.location}${readOnlyText(status)}`],
        ["Agents", agentsText(status.agents)],
        ["Unread", unread === 0 ? "nothing waits for your agents" : `${count(unread, "message")} for your agents`],
        ...(status.versions.tool === toolVersion
          ? []
          : [["Note", `this is version ${toolVersion}; restart with: crewdeck stop`]]),
      ]),
    );
    return undefined;
  });
}

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
  const { handle } = await api.ask<{ handle: string }>("GET", "/api/me");
  const { agents } = await api.ask<{ agents: { id: string; developer: string }[] }>(
    "GET",
    "/api/agents?status=online,busy",
  );
  const own = agents.filter((agent) => agent.developer === handle).slice(0, mostMailboxes);
  const counts = await Promise.all(
    own.map(({ id }) => api.call<{ count: number }>("message_count_unread", { agent_id: id })),
  );
  return counts.reduce((sum, { count: unread }) => sum + unread, 0);
}
