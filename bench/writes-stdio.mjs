import { makeFolder } from "./kit/homes.mjs";
import { program, quietEnv, startServer } from "./kit/programs.mjs";
import { StdioClient } from "./kit/stdio-client.mjs";
import { makeBeater, measureWrites } from "./kit/writes.mjs";

export const title = "Durable writes (agent_heartbeat) through stdio bridges, each a process of its own";

export async function run() {
  const home = makeFolder();
  const server = await startServer(home);
  const clients = Array.from({ length: 64 }, () => new StdioClient([program, "mcp"], quietEnv(home)));
  const beaters = await Promise.all(clients.map(openBeater));
  const groups = { 16: beaters.slice(0, 16), 64: beaters };
  const aims = { 64: { perSecond: { atLeast: 2_000 }, p99: { below: 50 } } };
  const rows = await measureWrites(groups, { rounds: 3, aims });
  await Promise.all(clients.map((client) => client.close()));
  await server.end();
  return rows;
}

async function openBeater(client) {
  await client.open();
  return makeBeater(async (tool, args) => (await client.call(tool, args)).structuredContent);
}
