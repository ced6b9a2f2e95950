import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "../scripts/steps/root.mjs";
import { compare, interleave, median } from "./kit/measure.mjs";
import { row } from "./kit/rows.mjs";
import { startHelper } from "./kit/talk.mjs";

const subscribers = 1_000;
const events = 200;

export const title = `Live events to ${subscribers} WebSocket subscribers, against a bare broadcast of the same texts`;

export async function run() {
  const house = await openChannel("programs/house.mjs");
  await house.ask("announce", 1);
  await awaitSubscriptions(house);
  await deliver(house, events);
  const bare = await openChannel("bare/ws.mjs");
  await bare.ask("take", await house.audience.ask("texts"));
  const subjects = { ours: () => measure(house), bare: () => measure(bare) };
  await interleave(1, subjects);
  const results = await interleave(5, subjects);
  await Promise.all([house, bare].map((channel) => channel.ask("close")));

  const against = (figure) => ({ peer: "bare ws", ...compare(results.ours, results.bare, figure) });
  return [
    row({ what: "one event, commit to last delivery", unit: "ms", ...against("one") }),
    row({ what: `${events} events at once, commit to last delivery`, unit: "ms", ...against("many") }),
    row({ what: `${events} events at once, deliveries`, unit: "/s", ...against("perSecond") }),
  ];
}

async function openChannel(file) {
  const { ask } = startHelper(join(root, "bench", file));
  const audience = startHelper(join(root, "bench", "programs", "subscribers.mjs"));
  await audience.ask("open", { ...(await ask("open")), count: subscribers });
  return { ask, audience };
}

/** A subscription is not acknowledged; whoever hears an event has one. */
async function awaitSubscriptions({ ask, audience }) {
  while ((await audience.ask("heard")) < subscribers) {
    await ask("announce", 1);
    await pause(200);
  }
}

async function deliver({ ask, audience }, count) {
  await audience.ask("expect", count * subscribers);
  const committedAt = await ask("announce", count);
  return (await audience.ask("finished")) - committedAt;
}

async function measure(channel) {
  const singles = [];
  for (let place = 0; place < 10; place += 1) singles.push(await deliver(channel, 1));
  const many = await deliver(channel, events);
  return { one: median(singles), many, perSecond: (events * subscribers) / (many / 1_000) };
}
