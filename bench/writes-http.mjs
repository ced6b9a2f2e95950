import { makeFolder, readToken } from "./kit/homes.mjs";
import { HttpClient } from "./kit/http-client.mjs";
import { startServer } from "./kit/programs.mjs";
import { makeBeater, measureWrites } from "./kit/writes.mjs";

export const title = "Durable writes (agent_heartbeat) over HTTP at /api/tools, each client on a connection of its own";

export async function run() {
  const home = makeFolder();
  const server = await startServer(home);
  const clients = Array.from({ length: 64 }, () => new HttpClient(server.url, readToken(home)));
  const beaters = await Promise.all(clients.map((client) => makeBeater((tool, args) => client.callTool(tool, args))));
  const rows = await measureWrites({ 16: beaters.slice(0, 16), 64: beaters }, { rounds: 3 });
  for (const client of clients) client.close();
  await server.end();
  return rows;
}
