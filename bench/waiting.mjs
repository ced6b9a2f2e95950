import { openBenchHouse, registration } from "./kit/house.mjs";
import { compare, interleave, median, pump } from "./kit/measure.mjs";
import { row } from "./kit/rows.mjs";
import { makeBeater } from "./kit/writes.mjs";

const waiters = 1_000;
const roundMs = 2_000;

export const title = `${waiters} agents that wait, against none that does`;

export async function run() {
  const quiet = await openBenchHouse();
  const crowded = await openBenchHouse();
  try {
    return await measureBoth(quiet, crowded);
  } finally {
    await Promise.all([quiet.house.close(), crowded.house.close()]);
  }
}

async function measureBoth(quiet, crowded) {
  const crowd = await fill(crowded);
  const writers = (house) => Promise.all(Array.from({ length: 16 }, () => makeBeater(house.call)));
  const subjects = { quiet: beating(await writers(quiet)), crowded: beating(await writers(crowded)) };
  await interleave(1, subjects);
  const results = await interleave(5, subjects);
  const against = (figure) => ({ peer: "nobody waits", ...compare(results.crowded, results.quiet, figure) });
  return [
    row({ what: "16 clients, writes", unit: "/s", ...against("perSecond") }),
    row({ what: "16 clients, p99", unit: "ms", ...against("p99") }),
    row({ what: "16 clients, processor time of a write", unit: "µs", ...against("cpu") }),
    row({ what: "processor time while nothing happens", unit: "ms/s", value: await measureIdle() }),
    row({ what: "a message, sent to heard, p50", unit: "ms", value: median(await measureNews(crowded, crowd)) }),
  ];
}

/** As many agents as there are to be, each in a wait of its own. */
async function fill({ house, call }) {
  const ids = [];
  const waiting = [];
  for (let place = 0; place < waiters; place += 1) {
    const { id } = await call("agent_register", { ...registration, name: `waiter ${place}` });
    ids.push(id);
    waiting.push(call("wait", { agent_id: id, timeout_seconds: 1_500 }));
  }
  while (house.waiting.count < waiters) await new Promise((resolve) => setImmediate(resolve));
  return { ids, waiting };
}

const beating = (beaters) => () => pump(beaters, roundMs);

/** Only what the waiting itself costs: nobody calls meanwhile. */
async function measureIdle() {
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / 3;
}

async function measureNews({ call }, { ids, waiting }) {
  const [sender_id] = ids;
  const samples = [];
  for (let place = 1; place <= 100; place += 1) {
    const message = { sender_id, recipient_id: ids[place], message_type: "notification", body: "Hello." };
    const startedAt = performance.now();
    await call("message_send", message);
    await waiting[place];
    samples.push(performance.now() - startedAt);
  }
  return samples;
}
