/** Changes the store one call at a time, whatever it answers, and then reads; prints how each call ended. */
import { print, readAsk } from "./ask.mjs";
import { call, open } from "./house.mjs";
import { findOwner } from "./owner.mjs";

const tools = ["workflow/agent-register", "workflow/agent-list"];
const { location, calls, size = 10 } = readAsk();
const { house } = await open(location, { tools, sweeps: false });
const caller = await findOwner(house);
print({ open: true });
for (let place = 0; place < calls; place += 1) {
  const args = { name: `agent ${place} of ${process.pid}`, runtime: "custom", metadata: { filling: "x".repeat(size) } };
  const reply = await call(house, caller, "agent_register", args);
  print(reply.ok ? { kind: "agent", call: reply.callId, ids: [reply.value.id] } : { refused: reply.failure.code });
}
const list = await call(house, caller, "agent_list", { limit: 500 });
print({ listed: list.ok ? list.value.agents.length : list.failure.code, reason: house.store.readOnlyReason });
await house.close();
