import { expect, test } from "vitest";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { type Ack, auditStore, expectWhole } from "./audit.ts";

/** A store with an agent, a letter and a broadcast, and what was acknowledged of it. */
async function prepare(): Promise<{ house: TestHouse; acks: Ack[] }> {
  const house = await openTestHouse("sqlite");
  for (let count = 0; count < 3; count += 1)
    await house.agent(`listener ${count}`, house.owner, { runtime: "opencode" });
  const acks: Ack[] = [];
  const change = async (kind: Ack["kind"], tool: string, args: Record<string, unknown>) => {
    const reply = await house.reply(tool, args);
    const value = (reply.ok ? reply.value : {}) as { id?: string; message_ids?: string[] };
    acks.push({ kind, call: reply.callId, ids: value.message_ids ?? [value.id ?? String(args["agent_id"])] });
    return value.id ?? "";
  };
  const id = await change("agent", "agent_register", { name: "writer", runtime: "codex" });
  const letter = { sender_id: id, message_type: "notification", body: "hello" };
  await change("beat", "agent_heartbeat", { agent_id: id });
  await change("message", "message_send", { ...letter, recipient_id: id });
  await change("broadcast", "message_broadcast", { ...letter, recipient_filter: { runtime: "opencode" } });
  return { house, acks };
}

test("[DU2] the audit passes a store that is whole", async () => {
  const { house, acks } = await prepare();
  expect(acks).toHaveLength(4);
  expectWhole(await house.house.store.read((db) => auditStore(db, acks)));
});

test.each([
  { title: "a lost message", sql: `delete from "message" where "rowid" = 1`, lost: 1 },
  { title: "a broadcast that reached two of three", sql: `delete from "message" where "rowid" = 4`, lost: 1 },
  { title: "a change without an entry", sql: `update "agent" set "version" = "version" + 1`, lost: 0 },
  { title: "entries without their records", sql: `delete from "message"`, lost: 2 },
  { title: "a change without its usage event", sql: `delete from "ledger" where "kind" = 'agent_heartbeat'`, lost: 1 },
])("[DU2] the audit finds $title", async ({ sql, lost }) => {
  const { house, acks } = await prepare();
  await house.house.store.transact(async (db) => {
    await db.sql(sql);
    return { value: null, entries: [] };
  });
  const audit = await house.house.store.read((db) => auditStore(db, acks));
  expect(audit.lost).toHaveLength(lost);
  expect(audit.halves.length).toBeGreaterThan(0);
});
