import { expect, test } from "vitest";
import { AgentId } from "../../src/contract/ids.ts";
import { insertAgent } from "../../src/domain/agent/store.ts";
import { largestAudience } from "../../src/domain/message/rules.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { mailbox } from "./mail.ts";
import { forEachStillStore, opening, traceOf, usedWell } from "./still-house.ts";

interface Sent {
  sent_count: number;
  message_ids: string[];
}

const broadcast = (house: TestHouse, from: string, ask: Record<string, unknown> = {}): Promise<Sent> =>
  house.call("message_broadcast", { sender_id: from, message_type: "notification", body: "Main is frozen.", ...ask });

/** Whose mailboxes a broadcast with this filter reaches. */
async function reached(house: TestHouse, from: string, filter: object, agents: Record<string, string>) {
  const { message_ids } = await broadcast(house, from, { recipient_filter: filter });
  const recipients = await Promise.all(
    message_ids.map(async (id) => (await house.call("message_get", { id, mark_read: false }))["recipient_id"]),
  );
  return Object.keys(agents).filter((name) => recipients.includes(agents[name]));
}

forEachStillStore("messages to many", (open) => {
  test("[MS8] everyone who is alive gets one message in one thread, the sender none", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace", { private: true });
    const ada = await house.agent("Ada");
    const busy = await house.agent("Busy");
    await house.call("agent_update", { id: busy, status: "busy" });
    const hers = await house.agent("Hers", grace);
    const gone = await house.agent("Gone");
    await house.call("agent_unregister", { id: gone });
    let reply: Sent = { sent_count: 0, message_ids: [] };

    const trace = await traceOf(house, async () => {
      reply = await broadcast(house, ada, { subject: "Freeze", priority: "urgent" });
    });

    const received = [...(await mailbox(house, busy)).messages, ...(await mailbox(house, hers, {}, grace)).messages];
    expect(reply).toEqual({ sent_count: 2, message_ids: expect.arrayContaining(received.map((one) => one.id)) });
    expect(received).toHaveLength(2);
    const [thread] = new Set(received.map((one) => one.thread_id));
    expect(received).toMatchObject([
      { thread_id: thread, recipient_id: busy, sender_id: ada, subject: "Freeze", priority: "urgent" },
      { thread_id: thread, recipient_id: hers, sender_id: ada, subject: "Freeze", priority: "urgent" },
    ]);
    expect(await mailbox(house, ada)).toEqual({ messages: [], unread_count: 0 });
    expect(await mailbox(house, gone)).toEqual({ messages: [], unread_count: 0 });
    expect(trace.usage).toEqual([usedWell("message_broadcast", ada)]);
    expect(trace.work).toHaveLength(2);
    for (const one of received) {
      expect(trace.work).toContainEqual({
        kind: "message.sent",
        announced: "message:new",
        subject: one.id,
        channels: [`message:${one.id}`, `agent:${one.recipient_id}`, `agent:${ada}`],
        data: {
          sender_id: ada,
          recipient_id: one.recipient_id,
          thread_id: thread,
          message_type: "notification",
          priority: "urgent",
        },
        developerId: house.owner.developerId,
      });
    }
  });

  test("[MS8] a second broadcast opens a thread of its own", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    await broadcast(house, ada);
    await broadcast(house, ada, { message_type: "status_update" });
    const threads = (await mailbox(house, bob)).messages.map((message) => message.thread_id);
    expect(new Set(threads).size).toBe(2);
  });

  test("[MS9] a filter names the role, the status and the runtime, and all of them hold", async () => {
    const house = await open();
    const { owner } = house;
    const agents = {
      sender: await house.agent("Sender", owner, { role: "coordinator", runtime: "codex" }),
      planner: await house.agent("Planner", owner, { role: "coordinator", runtime: "codex" }),
      worker: await house.agent("Worker", owner, { runtime: "codex" }),
      busy: await house.agent("Busy", owner, { runtime: "opencode" }),
      gone: await house.agent("Gone", owner, { runtime: "opencode" }),
    };
    await house.call("agent_update", { id: agents.busy, status: "busy" });
    await house.call("agent_unregister", { id: agents.gone });
    const reach = (filter: object) => reached(house, agents.sender, filter, agents);

    expect(await reach({})).toEqual(["planner", "worker", "busy"]);
    expect(await reach({ role: "coordinator" })).toEqual(["planner"]);
    expect(await reach({ status: "online" })).toEqual(["planner", "worker"]);
    expect(await reach({ status: "busy" })).toEqual(["busy"]);
    expect(await reach({ runtime: "opencode" })).toEqual(["busy"]);
    expect(await reach({ runtime: "codex", role: "worker", status: "online" })).toEqual(["worker"]);
  });

  for (const { rule, when, ask } of [
    { rule: "MS9", when: "nobody who is offline can be asked for", ask: { recipient_filter: { status: "offline" } } },
    { rule: "MS9", when: "an unknown filter is refused", ask: { recipient_filter: { developer: "ada" } } },
    { rule: "MS8", when: "a question is no broadcast", ask: { message_type: "query" } },
    { rule: "MS8", when: "a broadcast answers nothing", ask: { reply_to_id: "msg_1" } },
  ]) {
    test(`[${rule}] ${when}`, async () => {
      const house = await open();
      const ada = await house.agent("Ada");
      const letter = { sender_id: ada, message_type: "notification", body: "Hello", ...ask };
      expect(await house.refusal("message_broadcast", letter)).toBe("INVALID_REQUEST");
    });
  }

  test("[MS11] where nobody fits nothing is sent and nothing recorded", async () => {
    const house = await open();
    const ada = await house.agent("Ada");
    const trace = await traceOf(house, async () => {
      expect(await broadcast(house, ada)).toEqual({ sent_count: 0, message_ids: [] });
    });
    expect(trace).toEqual({ work: [], usage: [usedWell("message_broadcast", ada)] });
  });

  test("[MS10] a thousand are reached, one more and nobody is", async () => {
    const house = await open();
    const ada = await house.agent("Ada");
    await crowd(house, largestAudience);
    const { sent_count, message_ids } = await broadcast(house, ada);
    expect([sent_count, new Set(message_ids).size]).toEqual([largestAudience, largestAudience]);

    await crowd(house, 1);
    const trace = await traceOf(house, async () => {
      const reply = await house.reply("message_broadcast", {
        sender_id: ada,
        message_type: "notification",
        body: "Hello",
      });
      expect(reply).toMatchObject({ ok: false, failure: { code: "TOO_LARGE" } });
    });
    expect(trace.work).toEqual([]);
  });
});

let born = 0;

/** Many agents at once, straight into the store: a thousand calls would only test patience. */
async function crowd(house: TestHouse, count: number): Promise<void> {
  await house.house.store.transact(async (db) => {
    for (let made = 0; made < count; made += 1) {
      born += 1;
      await insertAgent(db, {
        id: AgentId.parse(`ag_of_the_crowd_${born}`),
        developerId: house.owner.developerId,
        name: "One of many",
        runtime: "custom",
        role: "worker",
        capabilities: [],
        workspacePath: null,
        metadata: {},
        status: "online",
        currentTaskId: null,
        lastHeartbeatAt: opening,
        staleAfterMs: 60_000,
        tokenId: null,
        connectionKey: null,
        createdAt: opening,
        updatedAt: opening,
        version: 1,
      });
    }
    return { value: undefined, entries: [] };
  });
}
