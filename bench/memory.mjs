import { setTimeout as pause } from "node:timers/promises";
import { makeFolder, readToken } from "./kit/homes.mjs";
import { registration } from "./kit/house.mjs";
import { HttpClient } from "./kit/http-client.mjs";
import { residentMb } from "./kit/memory.mjs";
import { endProgram, program, quietEnv, startNode, startServer } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";
import { StdioClient } from "./kit/stdio-client.mjs";

export const title = "Resident memory, against Node with nothing to do";

const settleMs = 1_500;

export async function run() {
  const home = makeFolder();
  const bare = startNode(["-e", "setInterval(() => {}, 1000)"]);
  const server = await startServer(home);
  await pause(settleMs);
  const idle = residentMb(server.child.pid);

  const bridge = new StdioClient([program, "mcp"], quietEnv(home));
  await bridge.open();
  const { structuredContent: agent } = await bridge.call("agent_register", registration);
  await pause(settleMs);
  const afterCall = residentMb(bridge.child.pid);

  await callMany(server.url, readToken(home), agent.id);
  await pause(settleMs);
  const afterMany = residentMb(server.child.pid);
  const bareMb = residentMb(bare.pid);
  await bridge.close();
  await Promise.all([server.end(), endProgram(bare)]);

  const against = { unit: "MB", peer: "bare node", peerValue: bareMb };
  return [
    row({ what: "one bridge after a call", value: afterCall, ...against, aim: { atMost: 60 } }),
    row({ what: "the server, idle", value: idle, ...against }),
    row({ what: "the server after 10,000 calls", value: afterMany, ...against }),
  ];
}

/** Ten thousand calls, half of them writes, on sixteen connections. */
async function callMany(url, token, id) {
  const clients = Array.from({ length: 16 }, () => new HttpClient(url, token));
  await Promise.all(
    clients.map(async (client) => {
      for (let count = 0; count < 10_000 / clients.length; count += 2) {
        await client.callTool("agent_get", { id });
        await client.callTool("agent_heartbeat", { agent_id: id });
      }
      client.close();
    }),
  );
}
