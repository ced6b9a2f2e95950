import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openBareStore } from "./bare/store.mjs";
import { makeClaimers } from "./kit/claimers.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { openBenchHouse } from "./kit/house.mjs";
import { compare, interleave, pump } from "./kit/measure.mjs";
import { processorMsOfAll } from "./kit/memory.mjs";
import { preparePgbench } from "./kit/pgbench.mjs";
import { startBenchPostgres } from "./kit/postgres.mjs";
import { endProgram, startNode } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";

export const title =
  "Tasks claimed and released again, on both databases, against one commit for each write and pgbench";

const crowds = [1, 16, 64];
const roundMs = 1_500;
const connections = 12;
const aims = { perSecond: { atLeast: 2_500 }, p99: { below: 100 } };

export async function run() {
  const postgres = await startBenchPostgres();
  try {
    return [...(await measureSqlite()), ...(await measurePostgres(postgres))];
  } finally {
    await postgres.stop();
  }
}

async function measureSqlite() {
  const bare = openBareStore(makeFolder());
  const rows = await measureCrowds(undefined, {
    database: "SQLite",
    peer: "a commit each",
    runPeer: () => pump([async () => bare.write()], roundMs / 2),
  });
  bare.close();
  return rows;
}

async function measurePostgres({ url, dataDir }) {
  const pid = Number(readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]);
  const pgbench = await preparePgbench(url, connections);
  const against = {
    database: "PostgreSQL",
    peer: "pgbench",
    runPeer: () => pgbench(Math.ceil(roundMs / 1_000)),
    aims,
    pid,
  };
  return [
    ...(await measureCrowds(`${url}?schema=claims`, against)),
    ...(await measureNodes(`${url}?schema=nodes`, against)),
  ];
}

async function measureCrowds(location, { database, peer, runPeer, aims: aimsOf64 = {}, pid }) {
  const { house, call } = await openBenchHouse(location);
  const claimers = await makeClaimers(call, Math.max(...crowds));
  await pump(claimers, 1_000);
  const results = await interleave(3, {
    peer: runPeer,
    ...Object.fromEntries(crowds.map((count) => [count, () => pumpBeside(pid, claimers.slice(0, count))])),
  });
  await house.close();
  return crowds.flatMap((count) => {
    const who = `${database}, ${count} ${count === 1 ? "agent" : "agents"}`;
    const aim = count === 64 ? aimsOf64 : {};
    const rounds = results[count];
    return [
      row({
        what: `${who}, claims`,
        unit: "/s",
        peer,
        ...compare(rounds, results.peer, "perSecond"),
        aim: aim.perSecond,
      }),
      row({ what: `${who}, claim and release, p99`, unit: "ms", value: middle(rounds, "p99"), aim: aim.p99 }),
      row({ what: `${who}, claim and release, processor time`, unit: "µs", value: middle(rounds, "cpu") }),
      ...(pid === undefined
        ? []
        : [row({ what: `${who}, the same in the database`, unit: "µs", value: middle(rounds, "databaseCpu") })]),
    ];
  });
}

/** What the calls of a round took of this process, and of a database's processes. */
async function pumpBeside(pid, callers) {
  const before = pid === undefined ? 0 : processorMsOfAll(pid);
  const startedAt = performance.now();
  const figures = await pump(callers, roundMs);
  const count = figures.perSecond * ((performance.now() - startedAt) / 1_000);
  return { ...figures, databaseCpu: pid === undefined ? 0 : ((processorMsOfAll(pid) - before) * 1_000) / count };
}

/** One node for 64 agents beside two for 32 each, each a process of its own. */
async function measureNodes(location, { database, peer, runPeer }) {
  const first = await startClaimers(location, 64);
  const nodes = [first, await startClaimers(location, 32, first.token), await startClaimers(location, 32, first.token)];
  const together = async (some) => {
    const figures = await Promise.all(some.map((node) => node.claim(roundMs)));
    return {
      perSecond: figures.reduce((sum, { perSecond }) => sum + perSecond, 0),
      p99: Math.max(...figures.map(({ p99 }) => p99)),
    };
  };
  const results = await interleave(3, {
    peer: runPeer,
    one: () => together(nodes.slice(0, 1)),
    two: () => together(nodes.slice(1)),
  });
  await Promise.all(nodes.map(({ end }) => end()));
  return ["one", "two"].flatMap((count) => {
    const who = `${database}, ${count} ${count === "one" ? "node" : "nodes"}, 64 agents`;
    return [
      row({ what: `${who}, claims`, unit: "/s", peer, ...compare(results[count], results.peer, "perSecond") }),
      row({ what: `${who}, p99`, unit: "ms", value: middle(results[count], "p99") }),
    ];
  });
}

async function startClaimers(location, count, known) {
  const args = [location, String(count), ...(known === undefined ? [] : [known])];
  const child = startNode(["bench/programs/claimers.mjs", ...args]);
  const lines = createInterface({ input: child.stdout });
  const [greeting] = await once(lines, "line");
  return {
    token: JSON.parse(greeting).token,
    async claim(ms) {
      const told = once(lines, "line");
      child.stdin.write(`${ms}\n`);
      return JSON.parse((await told)[0]);
    },
    end: () => endProgram(child),
  };
}

const middle = (rounds, figure) => rounds.map((round) => round[figure]).sort((a, b) => a - b)[rounds.length >> 1];
