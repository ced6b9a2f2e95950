import { openBenchHouse } from "./kit/house.mjs";
import { makeBeater, measureWrites } from "./kit/writes.mjs";

export const title = "Durable writes (agent_heartbeat) through dispatch, against one commit for each write";

export async function run() {
  const { house, call } = await openBenchHouse();
  const beaters = await Promise.all(Array.from({ length: 64 }, () => makeBeater(call)));
  const groups = { 1: beaters.slice(0, 1), 16: beaters.slice(0, 16), 64: beaters };
  const rows = await measureWrites(groups, { isOneProcess: true, aims: { 64: { perSecond: { atLeast: 5_000 } } } });
  await house.close();
  return rows;
}
