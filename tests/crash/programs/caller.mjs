/** A server that makes the calls it is asked for as its owner, prints each answer, and then lives on until it is killed. */
import { print, readAsk } from "./ask.mjs";
import { call, open } from "./house.mjs";
import { findOwner } from "./owner.mjs";

const { location, tools, calls } = readAsk();
const { house } = await open(location, { tools, sweeps: false });
const caller = await findOwner(house);
for (const [tool, args] of calls) {
  const reply = await call(house, caller, tool, args);
  print(reply.ok ? reply.value : reply.failure);
}
setInterval(() => undefined, 60_000);
