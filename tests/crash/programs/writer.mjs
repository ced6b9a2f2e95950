/**
 * A server under load: sixteen loops of changes, each acknowledged change printed at once. Waits for a first line on
 * stdin before it opens the store, so that the test can have the next one ready; `acks` ends it after that many.
 */
import { once } from "node:events";
import { print, readAsk } from "./ask.mjs";
import { call, open } from "./house.mjs";
import { findOwner } from "./owner.mjs";

const tools = ["agent-heartbeat", "agent-register", "message-broadcast", "message-send"].map(
  (name) => `workflow/${name}`,
);
const { location, writers = 16, acks = Number.POSITIVE_INFINITY, storeOptions } = readAsk();
print({ ready: true });
await once(process.stdin, "data");

const { house } = await open(location, { tools, sweeps: false, storeOptions });
const caller = await findOwner(house);
await ensureListeners();
let acknowledged = 0;
print({ open: true });
await Promise.all(Array.from({ length: writers }, (_, place) => write(place)));
if (process.stdin.readable) await once(process.stdin, "end");

async function write(place) {
  const { id } = await change("agent", "agent_register", {
    name: `writer ${place} of ${process.pid}`,
    runtime: "codex",
  });
  for (let round = 0; acknowledged < acks; round += 1) {
    const letter = { sender_id: id, message_type: "notification", body: `round ${round} of ${place}` };
    await change("beat", "agent_heartbeat", { agent_id: id });
    await change("message", "message_send", { ...letter, recipient_id: id });
    if (round % 3 === 0) {
      await change("broadcast", "message_broadcast", { ...letter, recipient_filter: { runtime: "opencode" } });
    }
  }
}

/** One acknowledged change, with what must be found of it later. */
async function change(kind, tool, args) {
  const reply = await call(house, caller, tool, args);
  if (!reply.ok) throw new Error(`${tool}: ${JSON.stringify(reply.failure)}`);
  acknowledged += 1;
  print({ kind, call: reply.callId, ids: reply.value.message_ids ?? [reply.value.id ?? args.agent_id] });
  return reply.value;
}

/** Three agents that every broadcast reaches. */
async function ensureListeners() {
  const known = await house.store.read((db) =>
    db.all(db.q.selectFrom("agent").select("id").where("runtime", "=", "opencode")),
  );
  for (let count = known.length; count < 3; count += 1) {
    await call(house, caller, "agent_register", { name: `listener ${count} of ${process.pid}`, runtime: "opencode" });
  }
}
