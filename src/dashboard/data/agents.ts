import type { AnswerOf } from "../../tools/calls.ts";
import { read } from "./api.ts";
import { type LiveEvent, textIn } from "./event.ts";
import { learnAgent, privateName } from "./names.ts";
import { type Reading, readAgain } from "./store.ts";

/** Of a private developer's agent little more than that it is there. */
type Agent = AnswerOf<"agent_list">["agents"][number];

export const agentsReading: Reading<readonly Agent[]> = {
  key: "agents",
  async load(signal) {
    const { agents } = await read("/api/agents", { limit: 500 }, signal);
    for (const agent of agents) learn(agent);
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

/** The names of all agents, where an id of one turns up that nobody has named yet. */
export async function learnAgents(signal: AbortSignal): Promise<void> {
  const { agents } = await read("/api/agents", { limit: 500 }, signal);
  for (const agent of agents) learn(agent);
}

const learn = ({ id, name, runtime, developer }: Agent): void =>
  learnAgent(id, { name, client: name === privateName ? null : runtime, owner: developer });
