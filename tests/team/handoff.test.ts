import { expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { idsIn, mailbox, send } from "../domain/mail.ts";
import { forEachStillStore, momentAt } from "../domain/still-house.ts";
import { oneTask, claim as takeTask } from "../workflow/work.ts";
import { type Answer, coordinate, gather, happened, session, summaryOf, take, turnDown } from "./coordination-scene.ts";
import { act } from "./session-scene.ts";
import { alone, idOf, Worker } from "./work-scene.ts";

const messageId = expect.stringMatching(/^msg_[0-9a-z]{26}$/);

interface Accepted {
  readonly task: { readonly task_id: string; readonly workstream_id: string; readonly fence: number } | null;
  readonly claims: readonly { readonly claim_id: string; readonly fence: number; readonly expires_at: string }[];
  readonly context: Record<string, unknown> | null;
  readonly messages_moved: number;
}

const publish = (house: TestHouse, caller: Caller, ask: Record<string, unknown> = {}) =>
  act<{ context_id: string }>(
    house,
    "publish_context",
    { title: "Timetable", summary: "Half of it is done.", next_actions: ["Translate the harbours."], ...ask },
    caller,
  );

const offer = async (house: TestHouse, ask: Record<string, unknown>, caller: Caller = house.owner): Promise<string> =>
  String((await coordinate(house, "handoff", { to: "bob", summary: "Go on.", ...ask }, caller)).data["handoff_id"]);

const accept = (house: TestHouse, handoff_id: string, caller: Caller, ask: Record<string, unknown> = {}) =>
  coordinate<Accepted>(house, "accept", { handoff_id, ...ask }, caller);

forEachStillStore("handing over", (open) => {
  test("[CR6] a handoff offers the task with the context the giver last published, and moves nothing", async () => {
    const { house, ada, bob } = await gather(open);
    const ada1 = new Worker(house, ada);
    const task_id = await ada1.begin(alone);
    const { context_id } = (await publish(house, ada)).data;
    let answer: unknown;
    const events = await happened(house, async () => {
      answer = await coordinate(house, "handoff", { to: "bob", summary: "The harbours are missing.", task_id });
    });
    expect(answer).toEqual({
      status: "ok",
      message:
        "The handoff is in their inbox; the work stays yours until they accept it. None of their agents is online, so it may take a while.",
      feedback: { type: "info", required_action: null },
      data: { handoff_id: messageId, to: "bob", task_id, context_id, context_title: "Timetable", to_online: false },
    });
    const handoff_id = events[0]?.subject;
    expect(events).toEqual([
      {
        kind: "coordination.offered",
        subject: messageId,
        data: { developer_id: bob.developerId, task_id, context_id },
        developerId: ada.developerId,
      },
    ]);
    const shown = {
      handoff_id,
      from: "ada",
      to: "bob",
      summary: "The harbours are missing.",
      task_id,
      context_id,
      offered_at: momentAt(0),
    };
    expect((await summaryOf(house)).handoffs_from_me).toEqual([shown]);
    expect(await coordinate(house, "summary", {}, bob)).toMatchObject({
      feedback: { required_action: "Take over what is offered to you: covibe_coordination accept." },
      data: { handoffs_to_me: [shown] },
    });
    expect((await ada1.task("update", { task_id, status: "blocked" })).status).toBe("ok");
    expect(
      await new Worker(house, bob).refusal("covibe_task", { operation: "update", task_id, status: "active" }),
    ).toBe("FORBIDDEN");
  });

  test("[CR6] without an active context it says how to publish one", async () => {
    const { house, ada } = await gather(open);
    const { context_id } = (await publish(house, ada)).data;
    await act(house, "revoke_context", { context_id }, ada);
    expect(await coordinate(house, "handoff", { to: "bob", summary: "Go on." })).toMatchObject({
      status: "ok",
      feedback: { required_action: expect.stringContaining("publish_context") },
      data: { task_id: null, context_id: null, context_title: null },
    });
  });

  test("[CR7] covibe_coordination handoff: TASK_NOT_FOUND, FORBIDDEN for another's task, INVALID_STATE once it has ended", async () => {
    const { house, ada, bob, cy } = await gather(open);
    const task_id = await new Worker(house, ada).begin(alone);
    const refused = await happened(house, async () => {
      const ask = { to: "cy", summary: "Take it." };
      expect(await turnDown(house, "handoff", { ...ask, task_id: "tk_unknown" })).toBe("TASK_NOT_FOUND");
      expect(await turnDown(house, "handoff", { ...ask, task_id }, bob)).toBe("FORBIDDEN");
    });
    expect(refused).toEqual([]);
    const plan = await oneTask(house, cy);
    await takeTask(house, plan, await house.agent("Bob's", bob), bob);
    expect(await turnDown(house, "handoff", { to: "ada", summary: "Take it.", task_id: plan }, bob)).toBe("FORBIDDEN");
    await new Worker(house, ada).task("complete", { task_id, result_summary: "Done." });
    expect(await turnDown(house, "handoff", { to: "bob", summary: "Take it.", task_id })).toBe("INVALID_STATE");
  });

  test("[CR7] offering a task again takes the place of the earlier offer", async () => {
    const { house, ada, bob, cy } = await gather(open);
    const task_id = await new Worker(house, ada).begin(alone);
    const first = await offer(house, { task_id });
    const events = await happened(house, () => offer(house, { to: "cy", task_id }));
    expect(events).toMatchObject([
      { kind: "coordination.withdrawn", subject: first, data: { developer_id: bob.developerId, task_id } },
      { kind: "coordination.offered", data: { developer_id: cy.developerId, task_id } },
    ]);
    expect((await summaryOf(house, bob)).handoffs_to_me).toEqual([]);
    expect((await summaryOf(house, cy)).handoffs_to_me).toHaveLength(1);
    expect(await turnDown(house, "accept", { handoff_id: first }, bob)).toBe("INVALID_STATE");
  });

  test("[CR8, CR9, CR10] accepting moves task, claims, context and unread messages at once", async () => {
    const { house, ada, bob, cy } = await gather(open);
    const [hers, his] = [await session(house, ada), await session(house, bob)];
    const giver = new Worker(house, ada, hers);
    const task_id = await giver.begin(alone, { target_files: ["src/a.ts"], repo: "shop" });
    const { data: held } = await take(house, ["src/**"], { task_id, session_id: hers, ttl_minutes: 60 }, ada);
    const { data: other } = await take(house, ["docs"], { session_id: hers }, ada);
    const { context_id } = (await publish(house, ada, { session_id: hers })).data;
    const { ask_id } = (await coordinate(house, "ask", { to: "ada", question: "Which harbours?", task_id }, cy)).data;
    const { ask_id: unrelated } = (await coordinate(house, "ask", { to: "ada", question: "Lunch?" }, cy)).data;
    const letter = await send(house, await house.agent("Cy's", cy), hers, { task_id }, cy);
    const handoff_id = await offer(house, { task_id, session_id: hers });
    house.clock.advance(10 * 60_000);

    let answer: Answer<Accepted> | undefined;
    const events = await happened(house, async () => {
      answer = await accept(house, handoff_id, bob, { session_id: his });
    });
    const workstream_id = answer?.data.task?.workstream_id;
    expect(answer).toEqual({
      status: "ok",
      message: "The task is yours.",
      feedback: { type: "info", required_action: "Answer what was asked about it: covibe_coordination summary." },
      data: {
        handoff_id,
        from: "ada",
        summary: "Go on.",
        task_id,
        task: {
          id: task_id,
          task_id,
          title: alone,
          description: "",
          status: "active",
          workstream_id: expect.stringMatching(/^wf_/),
          session_id: his,
          scope: null,
          action: null,
          component: null,
          priority: null,
          task_type: "feature",
          repo: "shop",
          branch: "main",
          target_files: ["src/a.ts"],
          result_summary: null,
          fence: 1,
          started_at: momentAt(0),
          created_at: momentAt(0),
          updated_at: momentAt(10 * 60_000),
        },
        claims: [
          {
            claim_id: held.claim_id,
            holder: "bob",
            repo: "shop",
            branch: null,
            paths: ["src/**"],
            symbols: [],
            exclusive: true,
            fence: 3,
            task_id,
            session_id: his,
            expires_at: momentAt(70 * 60_000),
          },
        ],
        context: {
          context_id,
          title: "Timetable",
          summary: "Half of it is done.",
          files_touched: [],
          next_actions: ["Translate the harbours."],
          blockers: [],
          task_ids: [],
          repo: "shop",
          branch: "main",
          expires_at: momentAt(24 * 3_600_000),
        },
        messages_moved: 2,
      },
    });
    expect(events.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["workstream.autoCreated", workstream_id],
      ["task.handedOver", task_id],
      ["workstream.completed", expect.stringMatching(/^wf_/)],
      ["claim.moved", held.claim_id],
      ["coordination.accepted", handoff_id],
    ]);
    expect(events.find(({ kind }) => kind === "task.handedOver")?.data).toEqual({
      workflow_id: workstream_id,
      developer_id: bob.developerId,
      fence: 1,
      session_id: his,
    });
    expect(events.at(-1)).toEqual({
      kind: "coordination.accepted",
      subject: handoff_id,
      data: { developer_id: ada.developerId, task_id, context_id, claims: 1, messages: 2, session_id: his },
      developerId: bob.developerId,
    });

    expect(await giver.refusal("covibe_task", { operation: "update", task_id, status: "blocked" })).toBe("FORBIDDEN");
    expect(await turnDown(house, "renew", { claim_id: held.claim_id })).toBe("NOT_FOUND");
    expect((await coordinate(house, "renew", { claim_id: other.claim_id })).status).toBe("ok");
    expect((await coordinate(house, "renew", { claim_id: held.claim_id }, bob)).data["fence"]).toBe(3);
    expect((await take(house, ["src/a.ts"], { session_id: hers }, ada)).status).toBe("blocked");
    expect((await summaryOf(house, bob)).asks_to_me).toMatchObject([{ ask_id }]);
    expect((await summaryOf(house, ada)).asks_to_me).toMatchObject([{ ask_id: unrelated }]);
    expect(await turnDown(house, "reply", { ask_id, answer: "All." })).toBe("NOT_FOUND");
    await coordinate(house, "reply", { ask_id, answer: "All." }, bob);
    expect((await summaryOf(house, cy)).answers).toMatchObject([{ from: "bob", answer: "All." }]);
    expect(idsIn(await mailbox(house, his, {}, bob))).toEqual([letter.id]);
    expect(idsIn(await mailbox(house, hers, {}, ada))).toEqual([]);
    const done = await new Worker(house, bob, his).task("complete", { task_id, result_summary: "Done." });
    expect(done.status).toBe("ok");
    expect((await take(house, ["src/a.ts"], { session_id: hers }, ada)).status).toBe("ok");
  });

  test("[CR9] what an agent of the giver had in hand is taken out of it, and its late writes are refused", async () => {
    const { house, ada, bob } = await gather(open);
    const his = await session(house, bob);
    const hand = await house.agent("Hand", ada);
    const task_id = await oneTask(house, ada);
    const { fence } = await takeTask(house, task_id, hand, ada);
    await accept(house, await offer(house, { task_id }), bob, { session_id: his });
    const late = { id: task_id, status: "planning", fence };
    expect(await house.refusal("task_update_status", late)).toBe("NOT_CLAIMED");
    expect(await house.call("agent_get", { id: hand })).toMatchObject({ status: "online", current_task_id: null });
    expect(await house.call("agent_get", { id: his }, bob)).toMatchObject({ status: "busy", current_task_id: task_id });
    expect(await house.call("task_get", { id: task_id }, bob)).toMatchObject({ claimed_by: his, fence: 2 });
    await house.call("task_update_status", { id: task_id, status: "planning" }, bob);
  });

  test("[CR8] a handoff without a task hands over its context and nothing else", async () => {
    const { house, ada, bob } = await gather(open);
    const { context_id } = (await publish(house, ada)).data;
    const handoff_id = await offer(house, {});
    const events = await happened(house, async () => {
      expect(await accept(house, handoff_id, bob)).toMatchObject({
        status: "ok",
        message: "The work is yours.",
        feedback: { required_action: null },
        data: { task: null, claims: [], context: { context_id }, messages_moved: 0 },
      });
    });
    expect(events.map(({ kind }) => kind)).toEqual(["coordination.accepted"]);
  });

  test("[CR8] a context that was withdrawn or replaced meanwhile is not passed on; a private giver's is", async () => {
    const { house, ada, bob, dora } = await gather(open);
    await publish(house, ada);
    const replaced = await offer(house, {});
    await publish(house, ada, { title: "Newer" });
    expect((await accept(house, replaced, bob)).data.context).toBeNull();
    await publish(house, dora, { title: "Hidden" });
    const hidden = await offer(house, {}, dora);
    expect((await summaryOf(house, bob)).handoffs_to_me).toMatchObject([{ from: "@private" }]);
    const { data } = await accept(house, hidden, bob);
    expect(data).toMatchObject({ from: "@private", context: { title: "Hidden" } });
    expect(JSON.stringify(data)).not.toContain("dora");
  });

  test("[CR10] a task keeps a home that is no workstream of the giver's, and a container with open tasks stays open", async () => {
    const { house, ada, bob } = await gather(open);
    const giver = new Worker(house, ada);
    const stream = await giver.beginStream("Paint the ferry terminal");
    await giver.check(alone);
    const task_id = idOf(await giver.start(alone, { workstream_id: stream }));
    const { data } = await accept(house, await offer(house, { task_id }), bob);
    expect(data.task?.workstream_id).not.toBe(stream);
    expect((await giver.stream("update", { workstream_id: stream, status: "blocked" })).status).toBe("ok");
    const planned = await oneTask(house, ada);
    const { workflow_id } = await house.call<{ workflow_id: string }>("task_get", { id: planned });
    const taken = await accept(house, await offer(house, { task_id: planned }), bob);
    expect(taken.data.task?.workstream_id).toBe(workflow_id);

    const first = await giver
      .check("Count the lighthouse keepers")
      .then(() => giver.start("Count the lighthouse keepers"));
    const container = idOf(first, "workstream_id");
    await giver.check("Order new anchor chains");
    await giver.start("Order new anchor chains", { workstream_id: container });
    const events = await happened(house, async () => accept(house, await offer(house, { task_id: idOf(first) }), bob));
    expect(events.map(({ kind }) => kind)).not.toContain("workstream.completed");
  });

  test("[CR11] covibe_coordination accept: NOT_FOUND to strangers, FORBIDDEN to the giver, INVALID_STATE the second time", async () => {
    const { house, bob, cy } = await gather(open);
    const handoff_id = await offer(house, {});
    const { ask_id } = (await coordinate(house, "ask", { to: "bob", question: "Well?" })).data;
    const refused = await happened(house, async () => {
      expect(await turnDown(house, "accept", { handoff_id }, cy)).toBe("NOT_FOUND");
      expect(await turnDown(house, "accept", { handoff_id: "msg_unknown" }, bob)).toBe("NOT_FOUND");
      expect(await turnDown(house, "accept", { handoff_id: ask_id }, bob)).toBe("NOT_FOUND");
      expect(await turnDown(house, "accept", { handoff_id })).toBe("FORBIDDEN");
    });
    expect(refused).toEqual([]);
    await accept(house, handoff_id, bob);
    expect(await turnDown(house, "accept", { handoff_id }, bob)).toBe("INVALID_STATE");
  });

  test("[CR12] a handoff whose task has ended meanwhile is void", async () => {
    const { house, ada, bob } = await gather(open);
    const giver = new Worker(house, ada);
    const ended = await giver.begin(alone);
    const handoff_id = await offer(house, { task_id: ended });
    await giver.task("complete", { task_id: ended, result_summary: "Done after all." });
    const events = await happened(house, async () => {
      expect(await accept(house, handoff_id, bob)).toEqual({
        status: "blocked",
        message: "The task has ended or changed hands meanwhile; the handoff is void.",
        feedback: { type: "block", required_action: expect.stringContaining("covibe_coordination summary") },
        data: { code: "HANDOFF_VOID", handoff_id },
      });
    });
    expect(events.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["coordination.withdrawn", handoff_id],
      ["feedback.block", handoff_id],
    ]);
    expect((await summaryOf(house, bob)).handoffs_to_me).toEqual([]);
  });

  test("[CR13] of eight who accept at once one gets everything, and the task changes hands once", async () => {
    const { house, ada, bob } = await gather(open);
    const task_id = await new Worker(house, ada).begin(alone);
    await take(house, ["src"], { task_id });
    const handoff_id = await offer(house, { task_id });
    const sessions = await Promise.all(Array.from({ length: 8 }, () => session(house, bob)));
    const replies = await Promise.all(
      sessions.map((session_id) =>
        house.reply("covibe_coordination", { operation: "accept", handoff_id, session_id }, bob),
      ),
    );
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    expect(replies.flatMap((reply) => (reply.ok ? [] : [reply.failure.code]))).toEqual(Array(7).fill("INVALID_STATE"));
    const kinds = (await house.entries()).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "task.handedOver" || kind === "claim.moved")).toHaveLength(2);
  });
});
