import { expect, test } from "vitest";
import { MessageId } from "../../src/contract/ids.ts";
import { listEvents } from "../../src/engine/view.ts";
import { idsIn, mailbox, send } from "../domain/mail.ts";
import { forEachStillStore, momentAt } from "../domain/still-house.ts";
import { oneTask } from "../workflow/work.ts";
import { coordinate, gather, happened, mark, session, summaryOf, take, turnDown } from "./coordination-scene.ts";
import { act } from "./session-scene.ts";

const messageId = expect.stringMatching(/^msg_[0-9a-z]{26}$/);
const info = (next: string | null) => ({ type: "info", required_action: next });

forEachStillStore("questions and answers", (open) => {
  test("[CR1, CR3, CR19] a question waits for a teammate, their answer for the asker, and neither's words are in the ledger", async () => {
    const { house, ada, bob } = await gather(open);
    const task_id = await oneTask(house, bob);
    const asked = await happened(house, async () => {
      expect(await coordinate(house, "ask", { to: "bob", question: "May I rename it?", task_id })).toEqual({
        status: "ok",
        message: "The question is in their inbox. None of their agents is online, so it may take a while.",
        feedback: info(
          "Wait for the answer with covibe_session wait, or go on and look with covibe_coordination summary.",
        ),
        data: { ask_id: messageId, to: "bob", asked_at: momentAt(0), to_online: false },
      });
    });
    const ask_id = asked[0]?.subject;
    expect(asked).toEqual([
      {
        kind: "coordination.asked",
        subject: messageId,
        data: { developer_id: bob.developerId, task_id },
        developerId: ada.developerId,
      },
    ]);
    const question = { ask_id, from: "ada", to: "bob", question: "May I rename it?", task_id, asked_at: momentAt(0) };
    expect((await summaryOf(house)).asks_from_me).toEqual([question]);
    expect(await coordinate(house, "summary", {}, bob)).toMatchObject({
      message: "1 questions and 0 handoffs wait for you.",
      feedback: info("Answer the questions put to you: covibe_coordination reply."),
      data: { asks_to_me: [question], asks_from_me: [] },
    });

    house.clock.advance(1_000);
    const replied = await happened(house, async () => {
      expect(await coordinate(house, "reply", { ask_id, answer: "Yes." }, bob)).toEqual({
        status: "ok",
        message: "The answer is sent.",
        feedback: info(null),
        data: { reply_id: messageId, ask_id, to: "ada", replied_at: momentAt(1_000) },
      });
    });
    expect(replied).toEqual([
      {
        kind: "coordination.replied",
        subject: messageId,
        data: { developer_id: ada.developerId, ask_id, task_id },
        developerId: bob.developerId,
      },
    ]);
    const answer = { reply_id: replied[0]?.subject, ask_id, from: "bob", answer: "Yes.", task_id };
    expect(await summaryOf(house)).toMatchObject({
      asks_from_me: [],
      answers: [{ ...answer, replied_at: momentAt(1_000) }],
    });
    expect(await summaryOf(house, bob)).toMatchObject({ asks_to_me: [], answers: [] });
    house.clock.advance(7 * 24 * 3_600_000 + 1);
    expect((await summaryOf(house)).answers).toEqual([]);
  });

  test("[CR1] a teammate is named by handle, with or without the sign, or by id; oneself too", async () => {
    const { house, bob } = await gather(open);
    for (const to of ["bob", "@bob", bob.developerId]) {
      expect((await coordinate(house, "ask", { to, question: "Well?" })).data["to"]).toBe("bob");
    }
    expect((await coordinate(house, "ask", { to: "ada", question: "Well?" })).data["to"]).toBe("ada");
  });

  test("[CR2] covibe_coordination ask and handoff answer NOT_FOUND for a private developer as for an unknown one", async () => {
    const { house, bob, dora } = await gather(open);
    const ways = { ask: { question: "Are you there?" }, handoff: { summary: "Take it." } };
    for (const [operation, words] of Object.entries(ways)) {
      for (const caller of [bob, house.owner]) {
        const replies = await Promise.all(
          ["dora", "@dora", dora.developerId, "nobody", "dev_nobody"].map((to) =>
            house.reply("covibe_coordination", { operation, to, ...words }, caller),
          ),
        );
        const failures = replies.map((reply) => (reply.ok ? "granted" : reply.failure));
        expect(failures.map((failure) => (failure as { code?: string }).code)).toEqual(Array(5).fill("NOT_FOUND"));
        expect(new Set(failures.map((failure) => JSON.stringify(failure))).size).toBe(1);
      }
      expect((await coordinate(house, operation, { to: "dora", ...words }, dora)).status).toBe("ok");
    }
  });

  test("[CR2, CR3] what a private developer asks is answered without knowing who asked", async () => {
    const { house, bob, dora } = await gather(open);
    const { ask_id } = (await coordinate(house, "ask", { to: "bob", question: "May I?" }, dora)).data;
    expect((await summaryOf(house, bob)).asks_to_me).toMatchObject([{ from: "@private", question: "May I?" }]);
    const reply = await coordinate(house, "reply", { ask_id, answer: "Yes." }, bob);
    expect(reply.data["to"]).toBe("@private");
    expect((await summaryOf(house, dora)).answers).toMatchObject([{ from: "bob", answer: "Yes." }]);
    await house.entries();
    const told = await listEvents(house.house, { limit: 1_000, stream: "work" }, bob);
    expect(told.events.map(({ kind }) => kind)).toContain("coordination.replied");
    expect(JSON.stringify([await summaryOf(house, bob), told.events.map(({ data }) => data)])).not.toMatch(
      new RegExp(`dora|${dora.developerId}`),
    );
  });

  test("[CR4] covibe_coordination reply: NOT_FOUND to strangers, FORBIDDEN to the asker, INVALID_STATE the second time", async () => {
    const { house, bob, cy } = await gather(open);
    const { ask_id } = (await coordinate(house, "ask", { to: "bob", question: "Well?" })).data;
    const { announcement_id } = (await coordinate(house, "announce", { message: "Hear." }, bob)).data;
    const { handoff_id } = (await coordinate(house, "handoff", { to: "bob", summary: "Take it." })).data;
    const ask = { ask_id, answer: "Well." };
    const refused = await happened(house, async () => {
      expect(await turnDown(house, "reply", ask, cy)).toBe("NOT_FOUND");
      expect(await turnDown(house, "reply", { ...ask, ask_id: "msg_unknown" }, bob)).toBe("NOT_FOUND");
      expect(await turnDown(house, "reply", { ...ask, ask_id: announcement_id }, bob)).toBe("NOT_FOUND");
      expect(await turnDown(house, "reply", { ...ask, ask_id: handoff_id }, bob)).toBe("NOT_FOUND");
      expect(await turnDown(house, "reply", ask)).toBe("FORBIDDEN");
    });
    expect(refused).toEqual([]);
    await coordinate(house, "reply", ask, bob);
    expect(await turnDown(house, "reply", ask, bob)).toBe("INVALID_STATE");
  });

  test("[CR13] of eight answers at once one is sent", async () => {
    const { house, bob } = await gather(open);
    const { ask_id } = (await coordinate(house, "ask", { to: "bob", question: "Well?" })).data;
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        house.reply("covibe_coordination", { operation: "reply", ask_id, answer: `Answer ${at}` }, bob),
      ),
    );
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    expect(replies.flatMap((reply) => (reply.ok ? [] : [reply.failure.code]))).toEqual(Array(7).fill("INVALID_STATE"));
    expect((await summaryOf(house)).answers).toHaveLength(1);
  });

  test("[CR5] agent mail knows nothing of what developers write to each other", async () => {
    const { house, bob } = await gather(open);
    const id = await session(house, bob);
    const task_id = await oneTask(house);
    const { ask_id } = (await coordinate(house, "ask", { to: "ada", question: "Well?", task_id, session_id: id }, bob))
      .data;
    const { reply_id } = (await coordinate(house, "reply", { ask_id, answer: "Well." })).data;
    const letter = await send(house, id, id, { task_id }, bob);
    expect(idsIn(await mailbox(house, id, { status: "all" }, bob))).toEqual([letter.id]);
    expect(await house.call("message_count_unread", { agent_id: id }, bob)).toMatchObject({ count: 1 });
    const stored = await house.house.store.read((db) =>
      db.first(db.q.selectFrom("message").select("threadId").where("id", "=", MessageId.parse(ask_id))),
    );
    const thread_id = stored?.threadId;
    expect(thread_id).toMatch(/^thr_/);
    expect(idsIn(await mailbox(house, id, { thread_id }, bob))).toEqual([]);
    for (const hidden of [ask_id, reply_id]) {
      for (const caller of [bob, house.owner]) {
        expect(await house.refusal("message_get", { id: hidden }, caller)).toBe("MESSAGE_NOT_FOUND");
        expect(await house.refusal("message_mark_read", { message_ids: [hidden] }, caller)).toBe("MESSAGE_NOT_FOUND");
        expect(await house.refusal("message_archive", { message_ids: [hidden] }, caller)).toBe("MESSAGE_NOT_FOUND");
      }
      const answer = { sender_id: id, recipient_id: id, message_type: "response", body: "x", reply_to_id: hidden };
      expect(await house.refusal("message_send", answer, bob)).toBe("MESSAGE_NOT_FOUND");
    }
  });
});

forEachStillStore("announcements, conflicts and the summary", (open) => {
  test("[CR14] an announcement reaches everyone until it runs out", async () => {
    const { house, bob, dora } = await gather(open);
    const long = "😀".repeat(300);
    const events = await happened(house, async () => {
      const ask = { message: long, repo: "shop", branch: "main", ttl_hours: 2 };
      expect(await coordinate(house, "announce", ask, bob)).toEqual({
        status: "ok",
        message: "The team will see it.",
        feedback: info(null),
        data: { announcement_id: messageId, expires_at: momentAt(2 * 3_600_000) },
      });
    });
    expect(events).toEqual([
      {
        kind: "coordination.announced",
        subject: messageId,
        data: {
          repo: "shop",
          branch: "main",
          message: `${"😀".repeat(279)}…`,
          expires_at: momentAt(2 * 3_600_000),
        },
        developerId: bob.developerId,
      },
    ]);
    await coordinate(house, "announce", { message: "I am away." }, dora);
    const first = {
      announcement_id: events[0]?.subject,
      from: "bob",
      message: long,
      repo: "shop",
      branch: "main",
      announced_at: momentAt(0),
      expires_at: momentAt(2 * 3_600_000),
    };
    const shown = (await summaryOf(house)).announcements;
    expect(shown).toHaveLength(2);
    expect(shown).toContainEqual(first);
    expect(shown).toContainEqual(expect.objectContaining({ from: "@private", message: "I am away.", repo: null }));
    house.clock.advance(2 * 3_600_000 - 1);
    expect((await summaryOf(house)).announcements).toHaveLength(2);
    house.clock.advance(1);
    expect((await summaryOf(house)).announcements).toMatchObject([{ from: "@private" }]);
    house.clock.advance(22 * 3_600_000);
    expect((await summaryOf(house)).announcements).toEqual([]);
    for (const ttl_hours of [0, 169]) {
      expect(await turnDown(house, "announce", { message: "Hear.", ttl_hours })).toBe("INVALID_REQUEST");
    }
  });

  test("[CR15] a check finds claims, targets of open tasks and changes of live sessions, and changes nothing", async () => {
    const { house, bob, cy } = await gather(open);
    const ask = { repo: "shop", paths: ["src/login/**"] };
    expect(await coordinate(house, "check_conflicts", ask)).toEqual({
      status: "ok",
      message: "Nobody is there.",
      feedback: info(null),
      data: { conflicts: [], conflict_count: 0, file_conflicts: [], forecasts: [], truncated: false },
    });
    const held = await take(house, ["src/*/form.ts"], {}, bob);
    const task_id = await oneTask(house, bob);
    await mark(house, { subjectId: task_id, source: "target", paths: ["src/login/b.ts", "docs/b.md"], by: bob });
    const his = await session(house, cy);
    await mark(house, { subjectId: his, source: "dirty", paths: ["src/login/d.ts", "src/login/c.ts"], by: cy });
    const mine = await session(house);
    await mark(house, { subjectId: mine, source: "unpushed", paths: ["src/login/mine.ts"], by: house.owner });
    await mark(house, { subjectId: his, source: "unpushed", paths: ["src/login/d.ts"], by: cy, repo: "mail" });

    let answer: unknown;
    const events = await happened(house, async () => {
      answer = await coordinate(house, "check_conflicts", { ...ask, session_id: mine });
    });
    expect(answer).toEqual({
      status: "warning",
      message: "Others are at work there.",
      feedback: { type: "warning", required_action: expect.stringContaining("covibe_coordination ask") },
      data: {
        conflicts: [
          expect.objectContaining({ claim_id: held.data.claim_id, holder: "bob", your_paths: ["src/login/**"] }),
        ],
        conflict_count: 1,
        file_conflicts: expect.arrayContaining([
          {
            source: "target",
            owner: "bob",
            same_developer: false,
            task_id,
            session_id: null,
            files: ["src/login/b.ts"],
          },
          {
            source: "dirty",
            owner: "cy",
            same_developer: false,
            task_id: null,
            session_id: his,
            files: ["src/login/c.ts", "src/login/d.ts"],
          },
        ]),
        forecasts: [],
        truncated: false,
      },
    });
    expect((answer as { data: { file_conflicts: unknown[] } }).data.file_conflicts).toHaveLength(2);
    expect(events.map(({ kind }) => kind)).toEqual(["feedback.warning"]);
    expect((await summaryOf(house, bob)).conflicts).toEqual([]);

    const fromElsewhere = await coordinate<{ file_conflicts: Record<string, unknown>[] }>(
      house,
      "check_conflicts",
      ask,
    );
    expect(fromElsewhere.data.file_conflicts).toContainEqual(
      expect.objectContaining({ source: "unpushed", owner: "ada", same_developer: true, session_id: mine }),
    );
    await act(house, "end", { session_id: his }, cy);
    await coordinate(house, "release", { all: true }, bob);
    for (const status of ["planning", "completed"]) {
      await house.call("task_update_status", { id: task_id, status, outcome: "Done." }, bob);
    }
    expect((await coordinate(house, "check_conflicts", { ...ask, session_id: mine })).status).toBe("ok");
  });

  test("[CR15] of a private developer's files only those are seen that were named one by one", async () => {
    const { house, bob, dora } = await gather(open);
    const hers = await session(house, dora);
    await mark(house, { subjectId: hers, source: "dirty", paths: ["src/a.ts"], by: dora });
    const seen = { source: "dirty", owner: "@private", same_developer: false, task_id: null, session_id: null };
    for (const [path, files] of [
      ["src", []],
      ["src/**", []],
      ["src/a.ts", ["src/a.ts"]],
    ] as const) {
      const { data } = await coordinate(house, "check_conflicts", { repo: "shop", paths: [path] }, bob);
      expect(data["file_conflicts"]).toEqual([{ ...seen, files }]);
    }
  });

  test("[CR15] covibe_coordination check_conflicts: INVALID_INPUT and TOO_LARGE for patterns that cannot be compared", async () => {
    const { house } = await gather(open);
    expect(await turnDown(house, "check_conflicts", { repo: "shop", paths: ["!a"] })).toBe("INVALID_INPUT");
    expect(await turnDown(house, "check_conflicts", { repo: "shop", paths: ["{a,b}".repeat(9)] })).toBe("TOO_LARGE");
  });

  test("[CR16] the summary of a quiet team is empty and asks for nothing; it leaves no trace", async () => {
    const { house } = await gather(open);
    const events = await happened(house, async () => {
      expect(await coordinate(house, "summary")).toEqual({
        status: "ok",
        message: "0 questions and 0 handoffs wait for you.",
        feedback: info(null),
        data: {
          asks_to_me: [],
          asks_from_me: [],
          answers: [],
          handoffs_to_me: [],
          handoffs_from_me: [],
          claims: [],
          announcements: [],
          conflicts: [],
          truncated: [],
        },
      });
    });
    expect(events).toEqual([]);
  });

  test("[CR16] the summary shows the newest of each and says what it leaves out", async () => {
    const { house, bob } = await gather(open);
    for (let at = 0; at < 21; at += 1) {
      house.clock.advance(1);
      await coordinate(house, "ask", { to: "bob", question: `Question ${at}` });
      await coordinate(house, "announce", { message: `News ${at}` });
    }
    for (let at = 0; at < 51; at += 1) await take(house, [`his${at}`], {}, bob);
    const mine = await take(house, ["mine"]);
    const [hers, his] = [await summaryOf(house), await summaryOf(house, bob)];
    expect(his.asks_to_me.map((one) => one["question"])).toEqual(
      Array.from({ length: 20 }, (_, at) => `Question ${20 - at}`),
    );
    expect(his.truncated).toEqual(["asks_to_me", "claims", "announcements"]);
    expect(hers.truncated).toEqual(["asks_from_me", "claims", "announcements"]);
    expect(hers.claims).toHaveLength(50);
    expect(hers.claims[0]).toMatchObject({ claim_id: mine.data.claim_id, mine: true });
  });

  test("[CR17] every operation is linked to the session it names, and covibe_coordination refuses SESSION_NOT_FOUND, FORBIDDEN and INVALID_STATE", async () => {
    const { house, bob } = await gather(open);
    const [his, ended] = [await session(house, bob), await session(house)];
    await act(house, "end", { session_id: ended });
    const { claim_id } = (await take(house, ["a"])).data;
    const { ask_id } = (await coordinate(house, "ask", { to: "ada", question: "Well?" })).data;
    const { handoff_id } = (await coordinate(house, "handoff", { to: "ada", summary: "Go on." })).data;
    const operations: Record<string, Record<string, unknown>> = {
      announce: { message: "Hear." },
      claim: { repo: "shop", paths: ["b"] },
      renew: { claim_id },
      release: { claim_id },
      ask: { to: "bob", question: "Well?" },
      reply: { ask_id, answer: "Well." },
      handoff: { to: "bob", summary: "Take it." },
      accept: { handoff_id },
      check_conflicts: { repo: "shop", paths: ["b"] },
      summary: {},
    };
    const own = await session(house);
    for (const [operation, args] of Object.entries(operations)) {
      const refused = await happened(house, async () => {
        expect(await turnDown(house, operation, { ...args, session_id: "ag_unknown" })).toBe("SESSION_NOT_FOUND");
        expect(await turnDown(house, operation, { ...args, session_id: his })).toBe("FORBIDDEN");
        expect(await turnDown(house, operation, { ...args, session_id: ended })).toBe("INVALID_STATE");
      });
      expect(refused, operation).toEqual([]);
      const answer = await coordinate(house, operation, { ...args, session_id: own });
      expect(["ok", "warning"], operation).toContain(answer.status);
      expect((await house.entries("usage")).at(-1)?.data).toMatchObject({ operation, outcome: "ok", agent_id: own });
    }
  });

  test("[CR17] covibe_coordination ask: TASK_NOT_FOUND; release: INVALID_INPUT unless it says what", async () => {
    const { house } = await gather(open);
    const ask = { to: "bob", question: "Well?", task_id: "tk_unknown" };
    expect(await turnDown(house, "ask", ask)).toBe("TASK_NOT_FOUND");
    expect(await turnDown(house, "release", {})).toBe("INVALID_INPUT");
    expect(await turnDown(house, "release", { all: false })).toBe("INVALID_INPUT");
    expect(await turnDown(house, "release", { all: true, claim_id: "cl_any" })).toBe("INVALID_INPUT");
  });
});
