import { join } from "node:path";
import { root } from "../scripts/steps/root.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { registration } from "./kit/house.mjs";
import { interleave, times } from "./kit/measure.mjs";
import { endProgram, program, quietEnv, readGreeting, startNode, startServer } from "./kit/programs.mjs";
import { measureReads, readRows } from "./kit/reads.mjs";
import { StdioClient } from "./kit/stdio-client.mjs";

export const title = "A read (agent_get) on stdio, bridge and server, against a tool that does nothing";

const bare = (name) => join(root, "bench", "bare", `${name}.mjs`);

export async function run() {
  const home = makeFolder();
  const server = await startServer(home);
  const behindRelay = startNode([bare("socket")]);
  const { port } = await readGreeting(behindRelay);
  const clients = {
    ours: new StdioClient([program, "mcp"], quietEnv(home)),
    direct: new StdioClient([bare("stdio")]),
    relayed: new StdioClient([bare("relay"), String(port)]),
  };
  await Promise.all(Object.values(clients).map((client) => client.open()));
  const { structuredContent: agent } = await clients.ours.call("agent_register", registration);
  const measure = (client) =>
    measureReads(
      times(16, () => client.call("agent_get", { id: agent.id })),
      { count: 1_000, durationMs: 500 },
    );
  const subjects = Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, () => measure(client)]));
  await interleave(2, subjects);
  const { ours, direct, relayed } = await interleave(7, subjects);
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await Promise.all([server.end(), endProgram(behindRelay)]);
  const under = "16 under way";
  return [
    ...readRows({ ours, bare: direct, under, aim: { ratioAtMost: 2 } }),
    ...readRows({ ours, bare: relayed, under, peer: "the same behind a bare relay" }),
  ];
}
