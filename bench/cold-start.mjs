import { once } from "node:events";
import { makeFolder } from "./kit/homes.mjs";
import { compare, interleave } from "./kit/measure.mjs";
import { program, quietEnv, startNode, startServer } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";
import { StdioClient } from "./kit/stdio-client.mjs";

export const title = "From starting the bridge to its first answers, against starting Node with nothing to do";

export async function run() {
  const homes = { served: makeFolder(), alone: makeFolder() };
  const server = await startServer(homes.served);
  const subjects = {
    node: startEmpty,
    served: () => startBridge(homes.served),
    alone: () => startBridge(homes.alone),
  };
  await interleave(1, subjects);
  const results = await interleave(15, subjects);
  await server.end();

  const against = (name, figure) => ({ peer: "node -e 0", ...compare(results[name], results.node, figure) });
  const aim = { ratioAtMost: 3, below: 300 };
  return [
    row({ what: "initialize, a server runs", unit: "ms", ...against("served", "initialize"), aim }),
    row({ what: "initialize, none runs", unit: "ms", ...against("alone", "initialize"), aim }),
    row({ what: "tools/list, a server runs", unit: "ms", ...against("served", "list") }),
    row({ what: "tools/list, none runs", unit: "ms", ...against("alone", "list") }),
  ];
}

async function startEmpty() {
  const startedAt = performance.now();
  await once(startNode(["-e", "0"]), "exit");
  const took = performance.now() - startedAt;
  return { initialize: took, list: took };
}

async function startBridge(home) {
  const startedAt = performance.now();
  const client = new StdioClient([program, "mcp"], quietEnv(home));
  await client.open();
  const initialize = performance.now() - startedAt;
  await client.request("tools/list", {});
  const list = performance.now() - startedAt;
  await client.close();
  return { initialize, list };
}
