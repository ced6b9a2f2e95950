import type { Agent } from "../../data/agents.ts";

interface AgentFilter {
  readonly text: string;
  readonly show: "here" | "all";
}

const order: readonly Agent["status"][] = ["busy", "online", "offline"];

/** Who works first, then who is there, then who has left; the last heard of first. */
export function chooseAgents(agents: readonly Agent[], { text, show }: AgentFilter): Agent[] {
  const wanted = text.trim().toLowerCase();
  return agents
    .filter((agent) => show === "all" || agent.status !== "offline")
    .filter((agent) => textOf(agent).includes(wanted))
    .sort(
      (one, other) =>
        order.indexOf(one.status) - order.indexOf(other.status) ||
        other.last_heartbeat.localeCompare(one.last_heartbeat),
    );
}

const textOf = ({ name, runtime, role, developer, workspace_path }: Agent): string =>
  [name, runtime, role, developer, workspace_path ?? ""].join(" ").toLowerCase();

/** The folder an agent works in, without the long way to it. */
export const folderOf = (path: string | null): string => path?.split(/[\\/]/).filter(Boolean).at(-1) ?? "";
