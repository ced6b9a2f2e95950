import { openBareStore } from "./bare/store.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { openBenchHouse, registration } from "./kit/house.mjs";
import { compare, interleave, pump } from "./kit/measure.mjs";
import { startBenchPostgres } from "./kit/postgres.mjs";
import { row } from "./kit/rows.mjs";

export const title = "Tasks claimed and released again, on both databases, against one commit for each write";

const crowds = [1, 16, 64];
const roundMs = 1_500;

export async function run() {
  const postgres = await startBenchPostgres();
  try {
    return [
      ...(await measureOn("SQLite", undefined)),
      ...(await measureOn("PostgreSQL", `${postgres.url}?schema=claims`)),
    ];
  } finally {
    await postgres.stop();
  }
}

async function measureOn(database, location) {
  const { house, call } = await openBenchHouse(location);
  const bare = openBareStore(makeFolder());
  const claimers = await makeClaimers(call, Math.max(...crowds));
  await pump(claimers, 300);
  const results = await interleave(3, {
    bare: () => pump([async () => bare.write()], roundMs / 2),
    ...Object.fromEntries(crowds.map((count) => [count, () => pump(claimers.slice(0, count), roundMs)])),
  });
  bare.close();
  await house.close();
  return crowds.flatMap((count) => {
    const who = `${database}, ${count} ${count === 1 ? "agent" : "agents"}`;
    const against = (figure) => ({ peer: "a commit each", ...compare(results[count], results.bare, figure) });
    return [
      row({ what: `${who}, claims`, unit: "/s", ...against("perSecond") }),
      row({ what: `${who}, claim and release, p99`, unit: "ms", ...against("p99") }),
    ];
  });
}

/** Agents that each take a task of one workflow and put it back, over and over. */
async function makeClaimers(call, count) {
  const { id } = await call("workflow_create", { name: "Claims", source_type: "prompt", source_content: "x" });
  const tasks = Array.from({ length: count }, (_, at) => ({
    name: `task ${at}`,
    description: "Do it.",
    sequence: 1,
    depends_on: [],
  }));
  await call("workflow_set_plan", { id, plan: { summary: "Claims", approach: "At once", tasks } });
  const { tasks: planned } = await call("workflow_get", { id, include_tasks: true });
  return Promise.all(
    planned.map(async ({ id: task_id }) => {
      const { id: agent_id } = await call("agent_register", registration);
      return async () => {
        await call("task_claim", { task_id, agent_id });
        await call("task_release", { task_id, agent_id });
      };
    }),
  );
}
