import { read } from "./api.ts";
import { learnName } from "./names.ts";

/** The names of all agents, where an id of one turns up that nobody has named yet. */
export async function learnAgents(signal: AbortSignal): Promise<void> {
  const { agents } = await read("/api/agents", { limit: 500 }, signal);
  for (const { id, name } of agents) learnName(id, name);
}
