import { join } from "node:path";
import { root } from "../scripts/steps/root.mjs";
import { makeFolder, readToken } from "./kit/homes.mjs";
import { registration } from "./kit/house.mjs";
import { HttpClient } from "./kit/http-client.mjs";
import { interleave } from "./kit/measure.mjs";
import { endProgram, readGreeting, startNode, startServer } from "./kit/programs.mjs";
import { measureReads, readRows } from "./kit/reads.mjs";

export const title = "A read (agent_get) over HTTP at /mcp, both eras, against the SDK on node:http";

const connections = 16;

export async function run() {
  const home = makeFolder();
  const server = await startServer(home);
  const bareProgram = startNode([join(root, "bench", "bare", "http.mjs")]);
  const bare = await readGreeting(bareProgram);
  const token = readToken(home);
  const owner = new HttpClient(server.url, token);
  const { id } = await owner.callTool("agent_register", registration);

  const opened = {
    session: await openAll(server.url, token, (client) => client.openSession("/mcp")),
    bareSession: await openAll(bare.url, undefined, (client) => client.openSession("/session")),
    stateless: await openAll(server.url, token, (client) => client.openStateless("/mcp")),
    bareStateless: await openAll(bare.url, undefined, (client) => client.openStateless("/stateless")),
  };
  const measure = (calls) =>
    measureReads(
      calls.map((call) => () => call("agent_get", { id })),
      { count: 400, durationMs: 500 },
    );
  const subjects = Object.fromEntries(Object.entries(opened).map(([name, { calls }]) => [name, () => measure(calls)]));
  await interleave(2, subjects);
  const results = await interleave(5, subjects);
  for (const client of [owner, ...Object.values(opened).flatMap(({ clients }) => clients)]) client.close();
  await Promise.all([server.end(), endProgram(bareProgram)]);

  const under = `${connections} connections`;
  return [
    ...readRows({ prefix: "2025-11-25, ", ours: results.session, bare: results.bareSession, under }),
    ...readRows({ prefix: "2026-07-28, ", ours: results.stateless, bare: results.bareStateless, under }),
  ];
}

async function openAll(url, token, open) {
  const clients = Array.from({ length: connections }, () => new HttpClient(url, token));
  return { clients, calls: await Promise.all(clients.map(open)) };
}
