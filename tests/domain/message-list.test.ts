import { expect, test } from "vitest";
import { prepareExamples } from "../contract/examples.ts";
import { idsIn, mailbox, send } from "./mail.ts";
import { forEachStillStore, opening, traceOf, usedWell } from "./still-house.ts";

forEachStillStore("a mailbox", (open) => {
  test("[MS12] unread messages are listed newest first, and looking leaves them unread", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const first = await send(house, ada, bob);
    house.clock.advance(1);
    const second = await send(house, ada, bob);
    await send(house, bob, ada);
    let reply: unknown;

    const trace = await traceOf(house, async () => {
      reply = await mailbox(house, bob);
    });

    const record = (id: string) => house.call("message_get", { id, mark_read: false });
    expect(reply).toEqual({ messages: [await record(second.id), await record(first.id)], unread_count: 2 });
    expect(trace).toEqual({ work: [], usage: [usedWell("message_list", bob)] });
    expect((await mailbox(house, bob)).unread_count).toBe(2);
  });

  test("[MS12] a list holds 20 messages unless another limit is given", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    await Promise.all(Array.from({ length: 21 }, () => send(house, ada, bob)));
    house.clock.advance(1);
    const newest = await send(house, ada, bob);

    expect(await mailbox(house, bob)).toMatchObject({ messages: { length: 20 }, unread_count: 22 });
    expect(idsIn(await mailbox(house, bob, { limit: 1 }))).toEqual([newest.id]);
    expect(idsIn(await mailbox(house, bob, { limit: 200 }))).toHaveLength(22);
    for (const limit of [0, 201, 1.5]) {
      expect(await house.refusal("message_list", { agent_id: bob, limit })).toBe("INVALID_REQUEST");
    }
  });

  test("[MS13] a status picks unread, read or archived; all is unread and read", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const archived = await send(house, ada, bob);
    house.clock.advance(1);
    const read = await send(house, ada, bob);
    house.clock.advance(1);
    const unread = await send(house, ada, bob);
    await house.call("message_archive", { message_ids: [archived.id] });
    await house.call("message_mark_read", { message_ids: [read.id] });

    expect(idsIn(await mailbox(house, bob))).toEqual([unread.id]);
    expect(idsIn(await mailbox(house, bob, { status: "unread" }))).toEqual([unread.id]);
    expect(idsIn(await mailbox(house, bob, { status: "read" }))).toEqual([read.id]);
    expect(idsIn(await mailbox(house, bob, { status: "archived" }))).toEqual([archived.id]);
    expect(idsIn(await mailbox(house, bob, { status: "all" }))).toEqual([unread.id, read.id]);
  });

  test("[MS14] kinds and priorities narrow the list, together with each other", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const sent: string[] = [];
    for (const ask of [
      { message_type: "query", priority: "low" },
      { message_type: "query", priority: "urgent" },
      { message_type: "response", priority: "urgent" },
    ]) {
      sent.unshift((await send(house, ada, bob, ask)).id);
      house.clock.advance(1);
    }
    const [response, question, remark] = sent;
    const find = async (ask: Record<string, unknown>) => idsIn(await mailbox(house, bob, ask));

    expect(await find({ message_type: ["query"] })).toEqual([question, remark]);
    expect(await find({ message_type: ["query", "response"] })).toEqual([response, question, remark]);
    expect(await find({ priority: ["urgent"] })).toEqual([response, question]);
    expect(await find({ priority: ["urgent"], message_type: ["query"] })).toEqual([question]);
    expect(await find({ priority: ["high"] })).toEqual([]);
    expect(await house.refusal("message_list", { agent_id: bob, priority: ["asap"] })).toBe("INVALID_REQUEST");
    expect(await house.refusal("message_list", { agent_id: bob, message_type: [] })).toBe("INVALID_REQUEST");
  });

  test("[MS14] a workflow narrows the list to what is about it", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const fill = prepareExamples((tool, args) => house.call(tool, args));
    const about = await fill({ workflow_id: "$workflow", task_id: "$task" });
    const { id } = await send(house, ada, bob, about);
    await send(house, ada, bob);

    const { messages, unread_count } = await mailbox(house, bob, { workflow_id: about["workflow_id"] });

    expect(messages).toEqual([expect.objectContaining({ id, ...about })]);
    expect(unread_count).toBe(2);
  });

  test("[MS14] no message is about a workflow that does not exist", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    await send(house, ada, bob);
    expect(await mailbox(house, bob, { workflow_id: "wf_1" })).toEqual({ messages: [], unread_count: 1 });
  });

  test("[MS15] a thread shows both sides and every status", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const question = await send(house, ada, bob);
    house.clock.advance(1);
    const answer = await send(house, bob, ada, { reply_to_id: question.id });
    house.clock.advance(1);
    await send(house, ada, bob);
    await house.call("message_archive", { message_ids: [question.id] });
    const thread = { thread_id: question.thread_id };

    for (const agent of [ada, bob]) {
      expect(idsIn(await mailbox(house, agent, thread))).toEqual([answer.id, question.id]);
    }
    expect(idsIn(await mailbox(house, bob, { ...thread, status: "archived" }))).toEqual([question.id]);
    expect(idsIn(await mailbox(house, bob, { ...thread, status: "all" }))).toEqual([answer.id]);
  });

  test("[MS15] of a thread nobody sees what passed between others", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const hers = await house.agent("Hers", grace);
    const question = await send(house, ada, bob);
    house.clock.advance(1);
    const aside = await send(house, bob, hers, { reply_to_id: question.id });
    const thread = { thread_id: question.thread_id };

    expect(idsIn(await mailbox(house, hers, thread, grace))).toEqual([aside.id]);
    expect(idsIn(await mailbox(house, ada, thread))).toEqual([question.id]);
    expect(idsIn(await mailbox(house, bob, thread))).toEqual([aside.id, question.id]);
  });

  test("[MS16] since means strictly newer, in Unix seconds", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const second = opening / 1_000;
    house.clock.advance(1_005);
    const first = await send(house, ada, bob);
    house.clock.advance(1);
    const next = await send(house, ada, bob);
    const find = async (since: number) => idsIn(await mailbox(house, bob, { since }));

    expect(await find(second)).toEqual([next.id, first.id]);
    expect(await find(second + 1)).toEqual([next.id, first.id]);
    expect(await find((opening + 1_005) / 1_000)).toEqual([next.id]);
    expect(await find((opening + 1_006) / 1_000)).toEqual([]);
    expect(await find(second + 2)).toEqual([]);
    expect(await find(0)).toEqual([next.id, first.id]);
  });

  test("[MS16] milliseconds are recognised as a mistake", async () => {
    const house = await open();
    const bob = await house.agent("Bob");
    expect(await house.refusal("message_list", { agent_id: bob, since: opening })).toBe("INVALID_REQUEST");
    expect(await house.refusal("message_list", { agent_id: bob, since: -1 })).toBe("INVALID_REQUEST");
  });

  test("[MS17] the unread count is of the whole mailbox, whatever is listed", async () => {
    const house = await open();
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    await send(house, ada, bob, { priority: "low" });
    const read = await send(house, ada, bob, { priority: "urgent" });
    await house.call("message_mark_read", { message_ids: [read.id] });
    await send(house, bob, ada);

    for (const ask of [{ status: "read" }, { priority: ["urgent"] }, { limit: 1 }, { since: 9_999_999_999 }]) {
      expect((await mailbox(house, bob, ask)).unread_count).toBe(1);
    }
  });
});
