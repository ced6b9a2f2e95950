import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { makeFolder, readToken } from "../bench/kit/homes.mjs";
import { startBenchPostgres } from "../bench/kit/postgres.mjs";
import { root } from "../scripts/steps/root.mjs";
import { findFaults, readLedger } from "./check.mjs";
import { Client } from "./client.mjs";
import { Follower } from "./follower.mjs";
import { History } from "./history.mjs";
import { Node } from "./nodes.mjs";

const workers = 16;

/** One long run: work, disturbances, and at the end what is there against what was promised. Answers figures. */
export async function soak({ minutes, db, nodes: count, seed }) {
  const random = seededRandom(seed);
  const postgres = db === "postgres" ? await startBenchPostgres() : undefined;
  const nodes = Array.from({ length: count }, () => {
    const database = postgres && `${postgres.url}?schema=soak`;
    return new Node({ program: join(root, "bin", "crewdeck.js"), home: makeFolder(), database });
  });
  try {
    for (const node of nodes) await node.start();
    const token = readToken(nodes[0].home);
    const client = new Client({ nodes, token, random });
    const from = (await client.read("/api/events?limit=1")).events[0].cursor;
    const followers = Array.from({ length: 4 }, () => new Follower(client, token, from));
    const history = new History({ client, random });
    const until = Date.now() + minutes * 60_000;
    const isOver = () => Date.now() > until;
    const disturbed = disturb({ nodes, postgres, random, isOver });
    await history.run(workers, isOver);
    const disturbances = await disturbed;
    const last = await untilHeard(client, followers, from);
    await Promise.all(followers.map((follower) => follower.stop()));
    const { faults, events } = await findFaults({ client, history, followers, from, last });
    return {
      db,
      nodes: count,
      minutes,
      seed,
      calls: client.calls,
      repeated: client.repeated,
      ...disturbances,
      restartMs: summarise(nodes.flatMap(({ restartsMs }) => restartsMs)),
      agents: history.registered.size,
      messages: history.messages.size,
      claims: history.claims.size,
      completed: history.completed.size,
      refused: Object.fromEntries(history.refused),
      events,
      heard: followers.reduce((sum, { cursors }) => sum + cursors.length, 0),
      reconnections: followers.reduce((sum, { connections }) => sum + connections - 1, 0),
      faults,
    };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await postgres?.stop();
  }
}

/** Kills, freezes and, where there is a database apart, its crashes, at random moments. */
async function disturb({ nodes, postgres, random, isOver }) {
  const done = { kills: 0, freezes: 0, crashes: 0 };
  while (!isOver()) {
    await pass(500 + random() * 4_000);
    const node = nodes[Math.floor(random() * nodes.length)];
    const chance = random();
    if (postgres && chance < 0.15) {
      await postgres.crashAndRestart();
      done.crashes += 1;
    } else if (chance < 0.6) {
      await node.kill();
      done.kills += 1;
    } else {
      await node.freeze(100 + random() * 3_000);
      done.freezes += 1;
    }
  }
  return done;
}

/**
 * Followers that still catch up are waited for: whoever has heard the entry that is last now has heard all up to it, or
 * never will. Answers its cursor; agents fall silent afterwards, and what that writes nobody listens for any more.
 */
async function untilHeard(client, followers, from) {
  const last = (await readLedger(client, from)).at(-1)?.cursor;
  const latest = Date.now() + 120_000;
  while (Date.now() < latest && !followers.every(({ cursors }) => cursors.includes(last))) await pass(500);
  return last;
}

function summarise(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return { count: sorted.length, median: sorted[sorted.length >> 1] ?? null, longest: sorted.at(-1) ?? null };
}

/** Chance that can be repeated; what the machine does in between cannot. */
function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
