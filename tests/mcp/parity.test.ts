import { expect, test } from "vitest";
import { realSources, type Sources } from "../../src/engine/sources.ts";
import { type Input, isAnybodys, prepareExamples } from "../contract/examples.ts";
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
  tool.examples
    .filter(isAnybodys)
    .map(({ title, input }) => ({ name: `${tool.name}: ${title}`, tool: tool.name, input: input as Input })),
);

/** The answers to all examples, one after the other in a house of their own, so that every house has the same history. */
async function answersBy(reach: Reach): Promise<Record<string, unknown>> {
  const server = await openServer({ sources: orderlySources() });
  const fill = prepareExamples((tool, args) => server.house.call(tool, args));
  const call = await reach(server);
  const answers: Record<string, unknown> = {};
  for (const { name, tool, input } of examples) {
    answers[name] = normalise(await call(tool, await fill(input)));
    // What a reading call has measured is written behind its answer (LG21), and a summary counts it.
    await server.house.house.usage.flush();
  }
  return answers;
}

/**
 * Ids and moments that increase: things are then listed in the same order in every house, however quick it is. Two calls
 * within one millisecond would be listed by their ids, the same two a millisecond apart by their times.
 */
function orderlySources(): Sources {
  let count = 0;
  let moment = 0;
  return {
    ...realSources,
    now() {
      moment = Math.max(realSources.now(), moment + 1);
      return moment;
    },
    randomBytes(length) {
      count += 1;
      const digits = count.toString(32).padStart(length, "0");
      return Uint8Array.from(digits, (digit) => Number.parseInt(digit, 32));
    },
  };
}

/**
 * Ids and times differ from house to house, and with them what they cost and in which order things of one moment are
 * listed: ids become their kind, and lists are put in order. Notices come with the next answer of their agent, and an
 * open connection knows its agent where a single call does not say (NC2): they are no part of a tool's answer.
 */
function normalise(value: unknown): unknown {
  if (typeof value === "string")
    return value
      .replaceAll(newTitle, "title")
      .replaceAll(place, "place")
      .replace(variable, (found) => (/^\d/.test(found) ? "time" : found.replace(/[_ -].*/, "")));
  if (Array.isArray(value))
    return value.map(normalise).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "notices")
      .map(([key, item]) => [key, varying.has(key) ? "some" : normalise(item)]),
  );
}

/** A cursor is a place in the ledger, and the keepers write there at moments of their own. */
const varying = new Set(["token_estimate", "tookMs", "bytes", "indexes", "artifacts", "cursor"]);

/** Examples of work that must be like no other have titles of chance words. */
const newTitle = /\b[0-9a-f]{10}(?: [0-9a-f]{10})+\b/g;
/** Where a test has put a repository or a home, and what is named after it. */
const place = /\/[\w./-]*\/crewdeck-(?:git|test-home)-[\w-]+|\bshop-[0-9a-f]{16}\b|\b(?:[0-9a-f]{40}|[0-9a-f]{64})\b/g;
const variable =
  /\b[a-z]{2,5}_[0-9a-z]{26}\b|\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d)?|example-\d+(?:-\d+)?|Example \d+/g;

let answersOfDispatch: ReturnType<typeof answersBy> | undefined;

test.each(Object.entries(reaches))("[MC90] %s answers every example as dispatch does", async (_name, reach) => {
  answersOfDispatch ??= answersBy(async (server) => (tool, args) => server.house.call(tool, args));
  const expected = await answersOfDispatch;
  expect(Object.keys(expected).length).toBeGreaterThan(15);
  expect(await answersBy(reach)).toEqual(expected);
});
