import { setImmediate as turn } from "node:timers/promises";
import { openBareStore } from "../bare/store.mjs";
import { makeFolder } from "./homes.mjs";
import { anotherRegistration } from "./house.mjs";
import { compare, interleave, pump } from "./measure.mjs";
import { row } from "./rows.mjs";

const roundMs = 2_000;

/**
 * Measures durable writes with more and more callers, beside one commit for each write on the same disk. `groups` maps
 * a number of callers to the callers.
 */
export async function measureWrites(groups, { rounds = 5, aims = {}, isOneProcess = false } = {}) {
  const bare = openBareStore(makeFolder());
  const writeBare = async () => {
    bare.write();
    await turn();
  };
  const subjects = {
    bare: () => pump([writeBare], roundMs / 2),
    ...Object.fromEntries(Object.entries(groups).map(([count, callers]) => [count, () => pump(callers, roundMs)])),
  };
  for (const callers of Object.values(groups)) await pump(callers, 300);
  const results = await interleave(rounds, subjects);
  bare.close();
  return Object.keys(groups).flatMap((count) =>
    rowsOf(count, results[count], results.bare, { isOneProcess, ...aims[count] }),
  );
}

function rowsOf(count, rounds, bare, { perSecond, p99, isOneProcess }) {
  const against = (figure) => ({ peer: "a commit each", ...compare(rounds, bare, figure) });
  const who = `${count} ${count === "1" ? "client" : "clients"}`;
  return [
    row({ what: `${who}, writes`, unit: "/s", ...against("perSecond"), aim: perSecond }),
    row({ what: `${who}, p50`, unit: "ms", ...against("p50") }),
    row({ what: `${who}, p99`, unit: "ms", ...against("p99"), aim: p99 }),
    ...(isOneProcess ? [row({ what: `${who}, processor time of a write`, unit: "µs", ...against("cpu") })] : []),
  ];
}

/** A caller that beats for an agent of its own; `call` is how it reaches the tools. */
export async function makeBeater(call) {
  const { id } = await call("agent_register", anotherRegistration());
  return () => call("agent_heartbeat", { agent_id: id });
}
