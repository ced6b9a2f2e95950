import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeFolder } from "./kit/homes.mjs";
import { compare, interleave, median } from "./kit/measure.mjs";
import { processorMs, residentMb } from "./kit/memory.mjs";
import { endProgram, program, quietEnv, startNode, startServer } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";
import { StdioClient } from "./kit/stdio-client.mjs";

export const title =
  "From starting the bridge to its first answers and the first task, against starting Node with nothing to do";

const fewRounds = 7;
/** As long as a client may take that looks at what it has been told. */
const settleMs = 1_000;

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
  // Homes of their own for each round: nothing has been founded there.
  const firsts = await interleave(fewRounds, {
    node: startEmpty,
    first: planFirst,
    again: () => planAgain(homes.alone),
  });
  const bareMb = await measureBare();

  const against = (name, figure) => ({ peer: "node -e 0", ...compare(results[name], results.node, figure) });
  const aim = { ratioAtMost: 3, below: 300 };
  return [
    row({ what: "initialize, a server runs", unit: "ms", ...against("served", "initialize"), aim }),
    row({ what: "initialize, none runs", unit: "ms", ...against("alone", "initialize"), aim }),
    row({ what: "tools/list, a server runs", unit: "ms", ...against("served", "list") }),
    row({ what: "tools/list, none runs", unit: "ms", ...against("alone", "list") }),
    row({
      what: "the first task on a machine where nothing runs",
      unit: "ms",
      peer: "node -e 0",
      ...compare(firsts.first, firsts.node, "task"),
      aim: { atMost: 450 },
    }),
    row({
      what: "bridge and server after it, memory",
      unit: "MB",
      value: median(firsts.first.map(({ mb }) => mb)),
      peer: "bare node",
      peerValue: bareMb,
      aim: { atMost: 120 },
    }),
    row({
      what: "the server's processor time by then",
      unit: "ms",
      peer: "node -e 0",
      ...compare(firsts.first, firsts.node, "server"),
    }),
    row({
      what: "a task after the server was killed, one bridge",
      unit: "ms",
      peer: "node -e 0",
      ...compare(firsts.again, firsts.node, "one"),
    }),
    row({
      what: "the same, 16 bridges at once, the last answer",
      unit: "ms",
      peer: "node -e 0",
      ...compare(firsts.again, firsts.node, "all"),
    }),
  ];
}

const wish = { task_type: "feature", title: "Retry payments that time out", description: "With a pause in between." };

/** From nothing to a planned task, and what that takes of the machine. */
async function planFirst() {
  const home = makeFolder();
  const startedAt = performance.now();
  const client = await openBridge(home);
  await plan(client);
  const task = performance.now() - startedAt;
  const { pid } = readServer(home);
  const server = processorMs(pid);
  await pause(settleMs);
  const mb = residentMb(client.child.pid) + residentMb(pid);
  await client.close();
  await endServer(pid, "SIGTERM");
  return { task, server, mb };
}

/** The bridges have lost their server and want the next one: one of them, then all. */
async function planAgain(home) {
  const clients = await Promise.all(Array.from({ length: 16 }, () => openBridge(home)));
  await Promise.all(clients.map(plan));
  const killAndPlan = async (some) => {
    await endServer(readServer(home).pid, "SIGKILL");
    const startedAt = performance.now();
    await Promise.all(some.map(plan));
    return performance.now() - startedAt;
  };
  const one = await killAndPlan(clients.slice(0, 1));
  const all = await killAndPlan(clients);
  await Promise.all(clients.map((client) => client.close()));
  await endServer(readServer(home).pid, "SIGTERM");
  return { one, all };
}

async function openBridge(home) {
  const client = new StdioClient([program, "mcp"], quietEnv(home));
  await client.open();
  return client;
}

const plan = async (client) => client.call("covibe_task", { operation: "plan", ...wish });

const readServer = (home) => JSON.parse(readFileSync(join(home, "server.json"), "utf8"));

async function endServer(pid, signal) {
  process.kill(pid, signal);
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await pause(5);
  }
}

async function measureBare() {
  const bare = startNode(["-e", "setInterval(() => {}, 1000)"]);
  await pause(settleMs);
  const mb = residentMb(bare.pid);
  await endProgram(bare);
  return mb;
}

async function startEmpty() {
  const startedAt = performance.now();
  await once(startNode(["-e", "0"]), "exit");
  const took = performance.now() - startedAt;
  return { initialize: took, list: took, task: took, server: took, one: took, all: took };
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
