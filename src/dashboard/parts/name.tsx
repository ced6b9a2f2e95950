import { useMemo } from "react";
import { learnAgents } from "../data/agents.ts";
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
const routes = { tk: "/api/tasks/:id", wf: "/api/workflows/:id" } as const;

const hasRoute = (prefix: string): prefix is keyof typeof routes => Object.hasOwn(routes, prefix);

const nameReading = (id: string): Reading<string> => ({
  key: `name:${id}`,
  async load(signal) {
    const prefix = id.slice(0, id.indexOf("_"));
    if (prefix === "ag") await learnAgents(signal);
    else if (hasRoute(prefix)) learnName(id, (await read(routes[prefix], { id }, signal)).name);
    return nameOf(id) ?? "";
  },
});
