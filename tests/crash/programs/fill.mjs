/**
 * Fills a small disk until the store says it is full, tries a backup, and waits for a line on stdin. Then it goes on
 * as if nothing had happened.
 */
import { once } from "node:events";
import { print, readAsk } from "./ask.mjs";
import { call, open } from "./house.mjs";
import { findOwner } from "./owner.mjs";

const tools = ["workflow/agent-register", "workflow/agent-list"];
const { location, backup } = readAsk();
const { house } = await open(location, { tools, sweeps: false });
const caller = await findOwner(house);
print({ open: true });

let refusals = 0;
let registered = 0;
while (refusals < 5) refusals += (await register()) ? 0 : 1;
const failure = await house.store.backup(backup).then(
  () => "made",
  (error) => error.message,
);
const list = await call(house, caller, "agent_list", { limit: 500 });
print({ backup: failure, reads: list.ok, reason: house.store.readOnlyReason });

await once(process.stdin, "data");
for (let place = 0; place < 20; place += 1) await register();
await house.close();
print({ closed: true });
process.stdin.destroy();

async function register() {
  registered += 1;
  const args = { name: `filler ${registered}`, runtime: "custom", metadata: { filling: "x".repeat(4_000) } };
  const reply = await call(house, caller, "agent_register", args);
  print(
    reply.ok
      ? { kind: "agent", call: reply.callId, ids: [reply.value.id] }
      : { refused: reply.failure.code, call: reply.callId },
  );
  return reply.ok;
}
