import { expect, test } from "vitest";
import { type Input, prepareExamples } from "../contract/examples.ts";
import { parts } from "../contract/parts.ts";
import { ask } from "../http/raw.ts";
import { type OpenServer, openServer } from "../http/routes.ts";
import { payloadOf, ways } from "./clients.ts";

type Reach = (server: OpenServer) => Promise<(tool: string, args: Input) => Promise<unknown>>;

const reaches: Record<string, Reach> = {
  "/api/tools": async (server) => async (tool, args) => {
    const answer = await ask(server, "POST", `/api/tools/${tool}`, { body: args });
    return answer.json<{ result: unknown }>().result;
  },
  "/api/mcp": async (server) => async (tool, args) =>
    (await ask(server, "POST", "/api/mcp", { body: { tool, arguments: args } })).json(),
  ...Object.fromEntries(
    ways.map(({ name, connect }): [string, Reach] => [
      name,
      async (server) => {
        const client = await connect(server);
        return async (tool, args) => payloadOf(await client.callTool({ name: tool, arguments: args }));
      },
    ]),
  ),
};

const examples = parts.tools.flatMap((tool) =>
  tool.examples.map(({ title, input }) => ({ name: `${tool.name}: ${title}`, tool: tool.name, input: input as Input })),
);

/** The answers to all examples, one after the other in a house of their own, so that every house has the same history. */
async function answersBy(reach: Reach): Promise<Record<string, unknown>> {
  const server = await openServer();
  const fill = prepareExamples((tool, args) => server.house.call(tool, args));
  const call = await reach(server);
  const answers: Record<string, unknown> = {};
  for (const { name, tool, input } of examples) answers[name] = normalise(await call(tool, await fill(input)));
  return answers;
}

/** Ids and times differ from house to house, and with them what they cost; each id becomes the place of its first sight. */
function normalise(value: unknown, seen: Map<string, string> = new Map()): unknown {
  if (typeof value === "string") return value.replace(variable, (found) => nameOf(found, seen));
  if (Array.isArray(value)) return value.map((item) => normalise(item, seen));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === "token_estimate" ? "some" : normalise(item, seen)]),
  );
}

const variable = /\b[a-z]{2,5}_[0-9a-z]{26}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|example-\d+-\d+|Example \d+/g;

function nameOf(found: string, seen: Map<string, string>): string {
  if (/^\d/.test(found)) return "time";
  const name = seen.get(found) ?? `${found.replace(/[_ -].*/, "")} ${seen.size}`;
  seen.set(found, name);
  return name;
}

test.each(Object.entries(reaches))("[MC90] %s answers every example as dispatch does", async (_name, reach) => {
  const expected = await answersBy(async (server) => (tool, args) => server.house.call(tool, args));
  expect(Object.keys(expected).length).toBeGreaterThan(15);
  expect(await answersBy(reach)).toEqual(expected);
});
