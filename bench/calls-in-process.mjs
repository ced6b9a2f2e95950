import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { makeBareServer } from "./bare/server.mjs";
import { makeHouseServer, openBenchHouse, registration } from "./kit/house.mjs";
import { interleave, times } from "./kit/measure.mjs";
import { measureReads, readRows } from "./kit/reads.mjs";

export const title = "A read (agent_get) in one process, the SDK's client and server back to back";

export async function run() {
  const opened = await openBenchHouse();
  const { id } = await opened.call("agent_register", registration);
  const clients = { ours: await connect(await makeHouseServer(opened)), bare: await connect(makeBareServer()) };
  const measure = (client) =>
    measureReads(
      times(16, () => client.callTool({ name: "agent_get", arguments: { id } })),
      { count: 2_000, durationMs: 400 },
    );
  const subjects = { ours: () => measure(clients.ours), bare: () => measure(clients.bare) };
  await interleave(2, subjects);
  const results = await interleave(7, subjects);
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await opened.house.close();
  return readRows({ ...results, under: "16 under way", isOneProcess: true, aim: { ratioAtMost: 1.3 } });
}

async function connect(server) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "bench", version: "1" });
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}
