import { expect, test } from "vitest";
import { idsIn, mailbox, send } from "./mail.ts";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "./still-house.ts";

forEachStillStore("messages that are sent", (open) => {
  test("[MS1] a message opens a thread, waits unread, and its words stay out of the ledger", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    let reply = { id: "", thread_id: "" };

    const trace = await traceOf(house, async () => {
      reply = await house.call("message_send", {
        sender_id: ada,
        recipient_id: bob,
        message_type: "query",
        subject: "Login form",
        body: "Are you changing the login form?",
        priority: "high",
      });
    });

    const { id, thread_id } = reply;
    expect(reply).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
      thread_id: expect.stringMatching(/^thr_[0-9a-z]{26}$/),
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "message.sent",
          announced: "message:new",
          subject: id,
          channels: [`message:${id}`, `agent:${bob}`, `agent:${ada}`],
          data: { sender_id: ada, recipient_id: bob, thread_id, message_type: "query", priority: "high" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("message_send", ada)],
    });
    expect(await house.call("message_get", { id, mark_read: false })).toEqual({
      id,
      thread_id,
      sender_id: ada,
      recipient_id: bob,
      message_type: "query",
      subject: "Login form",
      body: "Are you changing the login form?",
      priority: "high",
      status: "unread",
      workflow_id: null,
      task_id: null,
      reply_to_id: null,
      created_at: momentAt(0),
      updated_at: momentAt(0),
    });
  });

  test("[MS2] what is left out is of normal priority and about nothing in particular", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const { id } = await send(house, ada, bob);
    expect(await house.call("message_get", { id })).toMatchObject({
      priority: "normal",
      subject: null,
      workflow_id: null,
      task_id: null,
      reply_to_id: null,
    });
  });

  for (const { rule, when, body } of [
    {
      rule: "MS3",
      when: "text comes back as it was written",
      body: 'Tabs\t, "quotes", \u0000, é, 漢, 🙂 and </script>',
    },
    {
      rule: "MS3",
      when: "an object comes back as it was written",
      body: { files: ["a.ts"], at: 1.5, done: null, o: {} },
    },
    { rule: "MS3", when: "text that looks like JSON stays text", body: '{"a":1}' },
    { rule: "MS3", when: "an empty object is a body", body: {} },
  ]) {
    test(`[${rule}] ${when}`, async () => {
      const house = await open();
      const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
      const { id } = await send(house, ada, bob, { body });
      expect((await house.call("message_get", { id }))["body"]).toEqual(body);
    });
  }

  for (const { rule, when, ask } of [
    { rule: "MS3", when: "empty text is no body", ask: { body: "" } },
    { rule: "MS3", when: "a list is no body", ask: { body: ["a"] } },
    { rule: "MS3", when: "a number is no body", ask: { body: 1 } },
    { rule: "MS3", when: "a body must be there", ask: { body: undefined } },
    { rule: "MS2", when: "a kind must be one of the five", ask: { message_type: "gossip" } },
    { rule: "MS2", when: "a priority must be one of the four", ask: { priority: "asap" } },
    { rule: "MS2", when: "a subject has at most 500 characters", ask: { subject: "s".repeat(501) } },
  ]) {
    test(`[${rule}] ${when}`, async () => {
      const house = await open();
      const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
      const letter = { sender_id: ada, recipient_id: bob, message_type: "query", body: "Hello", ...ask };
      const trace = await traceOf(house, async () => {
        expect(await house.refusal("message_send", letter)).toBe("INVALID_REQUEST");
      });
      expect(trace).toEqual({ work: [], usage: [wasRefused("message_send", "INVALID_REQUEST")] });
    });
  }

  test("[MS5] an agent that is offline still gets its mail", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    await house.call("agent_unregister", { id: bob });
    const { id } = await send(house, ada, bob);
    expect(idsIn(await mailbox(house, bob))).toEqual([id]);
  });

  test("[MS5] a developer's agents write to those of another, and to themselves", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const [ada, hers] = [await house.agent("Ada"), await house.agent("Hers", grace)];
    const { id } = await send(house, ada, hers);
    expect(idsIn(await mailbox(house, hers, {}, grace))).toEqual([id]);
    const note = await send(house, ada, ada);
    expect(idsIn(await mailbox(house, ada))).toEqual([note.id]);
  });

  test("[MS6] an answer joins the thread of what it answers", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const [ada, hers] = [await house.agent("Ada"), await house.agent("Hers", grace)];
    const question = await send(house, ada, hers, { message_type: "query" });

    const answer = await send(house, hers, ada, { message_type: "response", reply_to_id: question.id }, grace);
    const thanks = await send(house, ada, hers, { reply_to_id: answer.id });

    expect([answer.thread_id, thanks.thread_id]).toEqual([question.thread_id, question.thread_id]);
    expect(await house.call("message_get", { id: answer.id })).toMatchObject({ reply_to_id: question.id });
    expect((await send(house, ada, hers)).thread_id).not.toBe(question.thread_id);
  });

  test("[MS6] nobody joins a thread by naming a message they may not see", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const [ada, bob, hers] = [await house.agent("Ada"), await house.agent("Bob"), await house.agent("Hers", grace)];
    const { id } = await send(house, ada, bob);
    const letter = { sender_id: hers, recipient_id: hers, message_type: "query", body: "Hello", reply_to_id: id };
    expect(await house.refusal("message_send", letter, grace)).toBe("MESSAGE_NOT_FOUND");
  });
});
