import { useMemo } from "react";
import { read } from "../data/api.ts";
import { learnName, nameOf, shortId } from "../data/names.ts";
import type { Reading } from "../data/store.ts";
import { useReading } from "../data/use-reading.ts";

/** What people call a record; looked up when nobody has said it yet. */
export function Name({ id }: { id: string }) {
  const known = nameOf(id);
  return known === undefined ? <Unknown id={id} /> : known;
}

function Unknown({ id }: { id: string }) {
  const { value } = useReading(useMemo(() => nameReading(id), [id]));
  return value || shortId(id);
}

/** Where a record's name is read, by what its id begins with. */
const routes: Readonly<Record<string, string>> = { tk: "/api/tasks", wf: "/api/workflows" };

const nameReading = (id: string): Reading<string> => ({
  key: `name:${id}`,
  async load(signal) {
    const route = routes[id.slice(0, id.indexOf("_"))];
    if (id.startsWith("ag_")) await learnAgents(signal);
    else if (route)
      learnName(id, (await read<{ name: string }>(`${route}/${encodeURIComponent(id)}`, {}, signal)).name);
    return nameOf(id) ?? "";
  },
});

async function learnAgents(signal: AbortSignal): Promise<void> {
  const { agents } = await read<{ agents: { id: string; name: string }[] }>("/api/agents", { limit: 500 }, signal);
  for (const { id, name } of agents) learnName(id, name);
}
