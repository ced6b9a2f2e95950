import { openBareStore } from "./bare/store.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { compare, interleave, pump } from "./kit/measure.mjs";
import { processorMs } from "./kit/memory.mjs";
import { program, quietEnv, startServer } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";
import { StdioClient } from "./kit/stdio-client.mjs";
import { makeWishes } from "./kit/wishes.mjs";

export const title = "Tasks planned (covibe_task) through stdio bridges, against one commit for each write";

const crowds = [1, 32];
const rounds = 3;
const roundMs = 3_000;
/** More than anybody plans in that time. */
const mostWishes = 60_000;

export async function run() {
  const home = makeFolder();
  const server = await startServer(home);
  const wish = makeWishes(mostWishes);
  const clients = Array.from({ length: Math.max(...crowds) }, () => new StdioClient([program, "mcp"], quietEnv(home)));
  const planners = await Promise.all(clients.map((client) => openPlanner(client, wish)));
  const bare = openBareStore(makeFolder());
  const planAtOnce = async (count) => {
    const before = processorMs(server.child.pid);
    const startedAt = performance.now();
    const figures = await pump(planners.slice(0, count), roundMs);
    const planned = figures.perSecond * ((performance.now() - startedAt) / 1_000);
    return { ...figures, server: ((processorMs(server.child.pid) - before) * 1_000) / planned };
  };
  await pump(planners, 500);
  const results = await interleave(rounds, {
    bare: () => pump([async () => bare.write()], roundMs / 2),
    ...Object.fromEntries(crowds.map((count) => [count, () => planAtOnce(count)])),
  });
  bare.close();
  await Promise.all(clients.map((client) => client.close()));
  await server.end();
  return crowds.flatMap((count) => rowsOf(count, results[count], results.bare));
}

function rowsOf(count, planned, bare) {
  const who = `${count} ${count === 1 ? "bridge" : "bridges"}`;
  const against = (figure) => ({ peer: "a commit each", ...compare(planned, bare, figure) });
  const aim = count === 32 ? { atLeast: 1_000 } : undefined;
  return [
    row({ what: `${who}, planned tasks`, unit: "/s", ...against("perSecond"), aim }),
    row({ what: `${who}, p99`, unit: "ms", ...against("p99") }),
    row({
      what: `${who}, the server's processor time of a task`,
      unit: "µs",
      value: middle(planned.map(({ server }) => server)),
    }),
  ];
}

const middle = (values) => values.toSorted((one, other) => one - other)[values.length >> 1];

async function openPlanner(client, wish) {
  await client.open();
  const call = async (tool, args) => (await client.call(tool, args)).structuredContent;
  const about = { operation: "start", agent_type: "claude-code", repo: "acme/shop", branch: "main" };
  const { session_id } = (await call("covibe_session", about)).data;
  return () => call("covibe_task", { operation: "plan", session_id, ...wish() });
}
