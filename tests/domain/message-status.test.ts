import { expect, test } from "vitest";
import { idsIn, mailbox, send } from "./mail.ts";
import { forEachStillStore, momentAt, type Trace, traceOf, usedWell } from "./still-house.ts";

const moved = (to: "read" | "archived", id: string, recipient: string, developerId: string): Trace => ({
  kind: `message.${to}`,
  announced: `message:${to}`,
  subject: id,
  channels: [`message:${id}`, `agent:${recipient}`],
  data: { recipient_id: recipient },
  developerId,
});

forEachStillStore("messages that are read", (open) => {
  test("[MS18] its recipient's look marks a message as read, once", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const { id } = await send(house, ada, bob);
    house.clock.advance(7);
    let reply: unknown;

    const trace = await traceOf(house, async () => {
      reply = await house.call("message_get", { id });
    });

    expect(reply).toMatchObject({ id, status: "read", created_at: momentAt(0), updated_at: momentAt(7) });
    expect(trace).toEqual({
      work: [moved("read", id, bob, house.owner.developerId)],
      usage: [usedWell("message_get")],
    });
    house.clock.advance(7);
    expect(await house.eventsOf(() => house.call("message_get", { id }))).toEqual([]);
    expect(await house.call("message_get", { id })).toEqual(reply);
  });

  test("[MS18] with mark_read false it stays unread", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const { id } = await send(house, ada, bob);
    const trace = await traceOf(house, () => house.call("message_get", { id, mark_read: false }));
    expect(trace).toEqual({ work: [], usage: [usedWell("message_get")] });
    expect(idsIn(await mailbox(house, bob))).toEqual([id]);
  });

  test("[MS18] its sender's look leaves it unread", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const [ada, hers] = [await house.agent("Ada"), await house.agent("Hers", grace)];
    const { id } = await send(house, ada, hers);
    expect(await house.eventsOf(() => house.call("message_get", { id }))).toEqual([]);
    expect(await house.call("message_get", { id })).toMatchObject({ status: "unread" });
    expect(await house.call("message_get", { id }, grace)).toMatchObject({ status: "read" });
  });

  test("[MS19] to a third developer a message does not exist", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const { id } = await send(house, ada, bob);
    const asked = await house.reply("message_get", { id }, grace);
    const unknown = await house.reply("message_get", { id: "msg_nowhere" }, grace);
    const shown = (reply: typeof asked, name: string) =>
      JSON.stringify(reply.ok ? reply.value : reply.failure).replaceAll(name, "ID");
    expect(shown(asked, id)).toBe(shown(unknown, "msg_nowhere"));
    expect(idsIn(await mailbox(house, bob))).toEqual([id]);
  });

  for (const { rule, when, tool, to } of [
    { rule: "MS20", when: "many are marked as read in one go", tool: "message_mark_read", to: "read" as const },
    { rule: "MS20", when: "many are archived in one go", tool: "message_archive", to: "archived" as const },
  ]) {
    test(`[${rule}] ${when}`, async () => {
      const house = await open();
      const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
      const ids = [(await send(house, ada, bob)).id, (await send(house, bob, ada)).id].sort();
      const owners = await Promise.all(ids.map((id) => house.call("message_get", { id, mark_read: false })));
      let reply: unknown;

      const trace = await traceOf(house, async () => {
        reply = await house.call(tool, { message_ids: [...ids, ...ids] });
      });

      expect(reply).toEqual({ success: true });
      expect(trace).toEqual({
        work: ids.map((id, place) => moved(to, id, String(owners[place]?.["recipient_id"]), house.owner.developerId)),
        usage: [usedWell(tool)],
      });
      expect(await traceOf(house, () => house.call(tool, { message_ids: ids }))).toEqual({
        work: [],
        usage: [usedWell(tool)],
      });
    });
  }

  for (const { rule, when, tool } of [
    { rule: "MS20", when: "one unknown message and none is marked as read", tool: "message_mark_read" },
    { rule: "MS20", when: "one unknown message and none is archived", tool: "message_archive" },
  ]) {
    test(`[${rule}] ${when}`, async () => {
      const house = await open();
      const { caller: grace } = await house.developer("grace");
      const [ada, hers] = [await house.agent("Ada"), await house.agent("Hers", grace)];
      const mine = await send(house, hers, ada, {}, grace);
      const sent = await send(house, ada, hers);
      let reply: unknown;

      const events = await house.eventsOf(async () => {
        reply = await house.reply(tool, { message_ids: [mine.id, sent.id, "msg_nowhere"] });
      });

      expect(reply).toMatchObject({
        ok: false,
        failure: {
          code: "MESSAGE_NOT_FOUND",
          message: expect.stringContaining("2 of these"),
          message_ids: [sent.id, "msg_nowhere"],
        },
      });
      expect(events).toEqual([]);
      expect(idsIn(await mailbox(house, ada))).toEqual([mine.id]);
    });
  }

  test("[MS20] a list has 1 to 500 messages", async () => {
    const house = await open();
    for (const tool of ["message_mark_read", "message_archive"]) {
      expect(await house.refusal(tool, { message_ids: [] })).toBe("INVALID_REQUEST");
      expect(await house.refusal(tool, { message_ids: Array(501).fill("msg_1") })).toBe("INVALID_REQUEST");
    }
  });

  test("[MS21] an archived message is never read again, an unread one is archived at once", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const { id } = await send(house, ada, bob);
    expect(await house.eventsOf(() => house.call("message_archive", { message_ids: [id] }))).toEqual([
      "message.archived",
    ]);
    const events = await house.eventsOf(async () => {
      await house.call("message_mark_read", { message_ids: [id] });
      await house.call("message_get", { id });
    });
    expect(events).toEqual([]);
    expect(await house.call("message_get", { id })).toMatchObject({ status: "archived" });
  });

  test("[MS22] unread messages are counted by priority, without being read", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    for (const priority of ["low", "urgent", "urgent", "normal"]) await send(house, ada, bob, { priority });
    const { id } = await send(house, ada, bob, { priority: "high" });
    await house.call("message_get", { id });
    let reply: unknown;

    const trace = await traceOf(house, async () => {
      reply = await house.call("message_count_unread", { agent_id: bob });
    });

    expect(reply).toEqual({ count: 4, by_priority: { low: 1, normal: 1, high: 0, urgent: 2 } });
    expect(trace).toEqual({ work: [], usage: [usedWell("message_count_unread", bob)] });
  });

  test("[MS22] only the priorities that are asked for count, each of them once", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    for (const priority of ["low", "urgent", "urgent"]) await send(house, ada, bob, { priority });
    const count = (priority: string[]) => house.call("message_count_unread", { agent_id: bob, priority });

    expect(await count(["urgent"])).toEqual({ count: 2, by_priority: { urgent: 2 } });
    expect(await count(["high", "low"])).toEqual({ count: 1, by_priority: { high: 0, low: 1 } });
    expect(await count(["urgent", "urgent"])).toEqual({ count: 2, by_priority: { urgent: 2 } });
    expect(await house.refusal("message_count_unread", { agent_id: bob, priority: [] })).toBe("INVALID_REQUEST");
  });
});
