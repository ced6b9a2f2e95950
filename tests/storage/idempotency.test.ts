import { expect, test } from "vitest";
import type { Reply } from "../../src/engine/call.ts";
import { sweepAnswers } from "../../src/engine/keepers/sweeps.ts";
import { forEachStore, openTestHouse, type TestHouse } from "../../src/testing/house.ts";

const register = { name: "Ada", runtime: "custom" };

const agentsOf = async (house: TestHouse, caller = house.owner): Promise<number> =>
  (await house.call<{ agents: unknown[] }>("agent_list", {}, caller)).agents.length;

const outcomes = async (house: TestHouse, tool: string): Promise<unknown[]> =>
  (await house.entries("usage")).filter((entry) => entry.kind === tool).map((entry) => entry.data["outcome"]);

const answerOf = (reply: Reply): unknown => (reply.ok ? reply.value : reply.failure.code);

forEachStore("idempotency keys", (open) => {
  test("[ST22] a repeated key is answered as the first time and changes nothing", async () => {
    const house = await open();
    const first = await house.reply("agent_register", register, house.owner, "key-1");
    const second = await house.reply("agent_register", { runtime: "custom", name: "Ada" }, house.owner, "key-1");
    expect(answerOf(second)).toEqual(answerOf(first));
    expect(await agentsOf(house)).toBe(1);
    expect((await house.entries()).filter((entry) => entry.kind === "agent.registered")).toHaveLength(1);
    expect(await outcomes(house, "agent_register")).toEqual(["ok", "replayed"]);
  });

  test("[ST22] the first answer outlives a restart", async () => {
    const house = await open();
    const first = await house.reply("agent_register", register, house.owner, "key-1");
    await house.house.close();
    const again = await openTestHouse(house.house.store.dialect, { location: house.location });
    expect(answerOf(await again.reply("agent_register", register, house.owner, "key-1"))).toEqual(answerOf(first));
    expect(await agentsOf(again, house.owner)).toBe(1);
  });

  test("[ST23] two developers may use the same key", async () => {
    const house = await open();
    const { caller } = await house.developer("grace");
    const mine = await house.reply("agent_register", register, house.owner, "key-1");
    const theirs = await house.reply("agent_register", register, caller, "key-1");
    expect(answerOf(theirs)).not.toEqual(answerOf(mine));
    expect(await agentsOf(house)).toBe(2);
  });

  test("[ST24] twelve calls at once with one key have one effect and one answer", async () => {
    const house = await open();
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => house.reply("agent_register", register, house.owner, "key-1")),
    );
    expect(new Set(replies.map((reply) => JSON.stringify(answerOf(reply)))).size).toBe(1);
    expect(replies.every((reply) => reply.ok)).toBe(true);
    expect(await agentsOf(house)).toBe(1);
    const kinds = await outcomes(house, "agent_register");
    expect(kinds.filter((kind) => kind === "ok")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "replayed")).toHaveLength(11);
  });

  test("[ST25] a key that was used for another tool is refused", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    await house.reply("agent_heartbeat", { agent_id: id }, house.owner, "key-1");
    expect(answerOf(await house.reply("agent_unregister", { id }, house.owner, "key-1"))).toBe("CONFLICT");
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "online" });
  });

  test("[ST25] a key that was used with other arguments is refused and changes nothing", async () => {
    const house = await open();
    const first = await house.reply("agent_register", register, house.owner, "key-1");
    const other = await house.reply("agent_register", { ...register, name: "Other" }, house.owner, "key-1");
    expect(answerOf(other)).toBe("INVALID_REQUEST");
    expect(await agentsOf(house)).toBe(1);
    expect(answerOf(await house.reply("agent_register", register, house.owner, "key-1"))).toEqual(answerOf(first));
  });

  test("[ST25] a default that is spelled out makes no other call", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    const ask = { sender_id: id, recipient_id: id, message_type: "query", body: "There?" };
    const first = await house.reply("message_send", ask, house.owner, "key-1");
    const again = await house.reply("message_send", { ...ask, priority: "normal" }, house.owner, "key-1");
    expect(first.ok).toBe(true);
    expect(answerOf(again)).toEqual(answerOf(first));
  });

  test.each([
    { title: "empty", key: "" },
    { title: "too long", key: "k".repeat(256) },
  ])("[ST25] a key that is $title is refused", async ({ key }) => {
    const house = await open();
    expect(answerOf(await house.reply("agent_register", register, house.owner, key))).toBe("INVALID_REQUEST");
    expect(await agentsOf(house)).toBe(0);
  });

  test("[ST26] a call that was refused may be repeated with its key and then has effect", async () => {
    const house = await open();
    const ask = { agent_id: "ag_unknown" };
    expect(answerOf(await house.reply("agent_heartbeat", ask, house.owner, "key-1"))).toBe("AGENT_NOT_FOUND");
    const id = await house.agent("Ada");
    expect((await house.reply("agent_heartbeat", { agent_id: id }, house.owner, "key-1")).ok).toBe(true);
  });

  test("[ST27] after seven days an answer is forgotten, before that it is not", async () => {
    const house = await open();
    await house.reply("agent_register", register, house.owner, "key-1");
    house.clock.advance(7 * 24 * 3_600_000 - 60_000);
    await sweepAnswers(house.house);
    await house.reply("agent_register", register, house.owner, "key-1");
    expect(await agentsOf(house)).toBe(1);
    house.clock.advance(120_000);
    await sweepAnswers(house.house);
    await house.reply("agent_register", register, house.owner, "key-1");
    expect(await outcomes(house, "agent_register")).toEqual(["ok", "replayed", "ok"]);
  });
});
