import { join } from "node:path";
import { root } from "../scripts/steps/root.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { registration } from "./kit/house.mjs";
import { interleave, times } from "./kit/measure.mjs";
import { program, quietEnv, startServer } from "./kit/programs.mjs";
import { measureReads, readRows } from "./kit/reads.mjs";
import { StdioClient } from "./kit/stdio-client.mjs";

export const title = "A read (agent_get) on stdio: bridge and server, against an SDK server on stdio";

export async function run() {
  const home = makeFolder();
  const server = await startServer(home);
  const clients = {
    ours: new StdioClient([program, "mcp"], quietEnv(home)),
    bare: new StdioClient([join(root, "bench", "bare", "stdio.mjs")]),
  };
  await Promise.all(Object.values(clients).map((client) => client.open()));
  const { structuredContent: agent } = await clients.ours.call("agent_register", registration);
  const measure = (client) =>
    measureReads(
      times(16, () => client.call("agent_get", { id: agent.id })),
      { count: 1_000, durationMs: 500 },
    );
  const subjects = { ours: () => measure(clients.ours), bare: () => measure(clients.bare) };
  await interleave(2, subjects);
  const results = await interleave(7, subjects);
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await server.end();
  return readRows({ ...results, under: "16 under way", aim: { ratioAtMost: 2 } });
}
