import type { AnswerOf } from "../../../tools/calls.ts";
import { read } from "../../data/api.ts";
import { type LiveEvent, textIn } from "../../data/event.ts";
import { learnName } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";

/** Of a private developer's agent little more than that it is there. */
export type Agent = AnswerOf<"agent_list">["agents"][number];

export const agentsReading: Reading<readonly Agent[]> = {
  key: "agents",
  async load(signal) {
    const { agents } = await read("/api/agents", { limit: 500 }, signal);
    for (const agent of agents) learnName(agent.id, agent.name);
    return agents;
  },
  applyEvent: applyToAgents,
};

/** Heartbeats and departures are told by the event itself; who is new or changed is read. */
function applyToAgents(agents: readonly Agent[], event: LiveEvent): readonly Agent[] | typeof readAgain {
  if (!event.kind.startsWith("agent.")) return agents;
  const status = textIn(event.data, "status") as Agent["status"] | undefined;
  const known = agents.find((agent) => agent.id === event.subject);
  if (!known || status === undefined || event.kind === "agent.updated") return readAgain;
  switch (event.kind) {
    case "agent.heartbeat": {
      const task = textIn(event.data, "current_task_id") ?? null;
      return replace(agents, { ...known, status, current_task_id: task, last_heartbeat: event.ts });
    }
    case "agent.unregistered":
    case "agent.wentStale":
      return replace(agents, { ...known, status, current_task_id: null });
    case "agent.registered":
      return replace(agents, { ...known, status });
    default:
      return agents;
  }
}

const replace = (agents: readonly Agent[], changed: Agent): readonly Agent[] =>
  agents.map((agent) => (agent.id === changed.id ? changed : agent));

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
