import { expect, test } from "vitest";
import { forEachStillStore, traceOf, usedWell, wasRefused } from "./still-house.ts";

const letter = { recipient_id: "ag_nobody", message_type: "query", body: "Hello" };
const notice = { message_type: "notification", body: "Hello" };

const actors = [
  { tool: "agent_heartbeat", key: "agent_id", rest: {}, unknown: "AGENT_NOT_FOUND" },
  { tool: "agent_update", key: "id", rest: {}, unknown: "AGENT_NOT_FOUND" },
  { tool: "agent_unregister", key: "id", rest: {}, unknown: "AGENT_NOT_FOUND" },
  { tool: "message_broadcast", key: "sender_id", rest: notice, unknown: "SENDER_NOT_FOUND" },
  { tool: "message_list", key: "agent_id", rest: {}, unknown: "AGENT_NOT_FOUND" },
  { tool: "message_count_unread", key: "agent_id", rest: {}, unknown: "AGENT_NOT_FOUND" },
];

forEachStillStore("who a call is linked to", (open) => {
  for (const actor of actors) {
    test(`[ID18] ${actor.tool} is linked to the agent of ${actor.key} when it is granted, else to none`, async () => {
      const { tool, key, rest, unknown } = actor;
      const house = await open();
      const { caller: bob } = await house.developer("bob");
      const mine = await house.agent("Mine");

      const refused = await traceOf(house, async () => {
        await house.reply(tool, { [key]: mine, ...rest }, bob);
        await house.reply(tool, { [key]: "ag_nobody", ...rest });
        await house.reply(tool, { [key]: mine, ...rest, owner_id: mine });
      });
      const granted = await traceOf(house, () => house.call(tool, { [key]: mine, ...rest }));

      expect(refused.usage).toEqual([
        wasRefused(tool, "FORBIDDEN"),
        wasRefused(tool, unknown),
        wasRefused(tool, "INVALID_REQUEST"),
      ]);
      expect(granted.usage).toEqual([usedWell(tool, mine)]);
    });
  }

  test("[ID18] a call that is refused for another reason is not linked to its sender either", async () => {
    const house = await open();
    const mine = await house.agent("Mine");
    const { usage } = await traceOf(house, () => house.reply("message_send", { sender_id: mine, ...letter }));
    expect(usage).toEqual([wasRefused("message_send", "RECIPIENT_NOT_FOUND")]);
  });

  test("[ID18] a developer's own usage is known by who called, never by what was said", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const before = (await house.entries("usage")).at(-1)?.seq ?? 0;
    await house.reply("agent_get", { id: house.owner.developerId }, bob);
    const [entry] = await house.entries("usage", before);
    expect(entry?.developerId).toBe(bob.developerId);
    expect(JSON.stringify(entry)).not.toContain(house.owner.developerId);
  });
});
