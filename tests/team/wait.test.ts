import { describe, expect, test } from "vitest";
import { dispatch } from "../../src/engine/dispatch.ts";
import { freshLocation, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { bring, planned } from "../workflow/work.ts";
import { coordinate, take } from "./coordination-scene.ts";
import { beginWait, endedBy, look, openWaitHouse, type Waited } from "./wait-scene.ts";
import { candidateIds, newWorker, wording, workerOf } from "./work-scene.ts";

const send = (house: TestHouse, sender_id: string, recipient_id: string, subject = "The login") =>
  house.call<{ id: string }>("message_send", {
    sender_id,
    recipient_id,
    message_type: "query",
    subject,
    body: "Which files are you changing?",
  });

async function pair(house: TestHouse): Promise<{ ada: string; ben: string }> {
  return { ada: await house.agent("Ada"), ben: await house.agent("Ben") };
}

const kindsOf = ({ news }: Waited): string[] => news.map(({ kind }) => kind);

describe.each(["sqlite", "postgres"] as const)("waiting on %s", (kind: StoreKind) => {
  const open = () => openWaitHouse(kind);

  describe("what ends it", () => {
    test("[WA1, WA4] a message to the agent", async () => {
      const house = await open();
      const { ada, ben } = await pair(house);
      let id = "";
      const waited = await endedBy(house, { agent_id: ada }, async () => {
        ({ id } = await send(house, ben, ada));
      });
      expect(waited).toMatchObject({
        ended: "news",
        news: [{ kind: "message", what: "Message from Ben (ada).", words: "The login", about: id }],
        next: expect.stringContaining("cursor"),
      });
      expect(waited.news[0]?.next).toContain(`message_get ${id}`);
    });

    test("[WA1] a question to its developer, an announcement to the team and a handoff", async () => {
      const house = await open();
      const bob = await (await newWorker(house, "bob")).inSession();
      const ada = await house.agent("Ada");
      const to = house.owner.handle;
      const tell = (operation: string, args: Record<string, unknown>) =>
        bob.call("covibe_coordination", { operation, ...args });
      const asked = await endedBy(house, { agent_id: ada }, () => tell("ask", { to, question: "May I rename it?" }));
      expect(asked.news).toMatchObject([
        { kind: "message", what: "Question from Test (bob).", words: "May I rename it?" },
      ]);
      const { cursor } = asked;
      const told = await endedBy(house, { agent_id: ada, cursor }, () =>
        tell("announce", { message: "Main is frozen." }),
      );
      expect(told.news).toMatchObject([{ kind: "message", words: "Main is frozen." }]);
      const offered = await endedBy(house, { agent_id: ada, cursor: told.cursor }, () =>
        tell("handoff", { to, summary: "The rest of the search." }),
      );
      expect(offered.news).toMatchObject([
        { kind: "task", what: "Test (bob) hands work over to you.", words: "The rest of the search." },
      ]);
      const waiting = await beginWait(house, { agent_id: bob.session }, bob.caller);
      await coordinate(house, "accept", { handoff_id: offered.news[0]?.about, session_id: await sessionOf(house) });
      expect(await waiting[0]).toMatchObject({ news: [{ kind: "answer", what: "Test (ada) accepted your handoff." }] });
    });

    const sessionOf = async (house: TestHouse) => (await workerOf(house).inSession()).session;

    test("[WA1, WA14] an answer to its question, which the next answer does not carry again", async () => {
      const house = await open();
      const bob = await (await newWorker(house, "bob")).inSession();
      const other = await workerOf(house, bob.caller).inSession();
      const asked = await bob.call("covibe_coordination", {
        operation: "ask",
        to: house.owner.handle,
        question: "May I rename it?",
      });
      const ask_id = asked.data["ask_id"];
      const waited = await endedBy(
        house,
        { agent_id: bob.session },
        () => coordinate(house, "reply", { ask_id, answer: "Yes." }),
        bob.caller,
      );
      expect(waited.news).toMatchObject([{ kind: "answer", words: "ada answered your question: Yes." }]);
      expect(waited).not.toHaveProperty("notices");
      expect(await bob.call("covibe_session", { operation: "heartbeat" })).not.toHaveProperty("notices");
      expect(kindsOf(await look(house, { agent_id: other.session }, bob.caller))).toEqual([]);
    });

    test("[WA14] what another answer has carried ends no wait", async () => {
      const house = await open();
      const bob = await (await newWorker(house, "bob")).inSession();
      const { cursor } = await look(house, { agent_id: bob.session }, bob.caller);
      const to = house.owner.handle;
      const asked = await bob.call("covibe_coordination", { operation: "ask", to, question: "Ready?" });
      await coordinate(house, "reply", { ask_id: asked.data["ask_id"], answer: "Ready." });
      await house.entries();
      expect(await bob.call("covibe_session", { operation: "heartbeat" })).toMatchObject({ notices: [{}] });
      expect(kindsOf(await look(house, { agent_id: bob.session, cursor }, bob.caller))).toEqual([]);
    });

    test("[WA1] a decision about its start, and about its claim", async () => {
      const house = await open();
      await workerOf(house).begin(wording);
      const bob = await (await newWorker(house, "bob")).inSession();
      const checked = await bob.check(wording);
      expect(candidateIds(checked)).toHaveLength(1);
      const check_id = checked.data["check_id"];
      const confirmed = await endedBy(
        house,
        { agent_id: bob.session, for: ["decision"] },
        () => house.call("check_confirm", { check_id, reason: "Both are needed." }, bob.caller),
        bob.caller,
      );
      expect(confirmed.news).toMatchObject([{ kind: "decision", words: expect.stringContaining("Both are needed.") }]);
      const claimed = await take(house, ["src/mail/**"], { session_id: bob.session }, bob.caller);
      const { cursor } = confirmed;
      const released = await endedBy(
        house,
        { agent_id: bob.session, cursor },
        () => house.call("claim_release", { claim_id: claimed.data.claim_id, reason: "Urgent." }),
        bob.caller,
      );
      expect(released.news).toMatchObject([{ kind: "decision", words: expect.stringContaining("Urgent.") }]);
    });

    test("[WA1] somebody else who wants code it holds", async () => {
      const house = await open();
      const ada = await workerOf(house).inSession();
      const bob = await (await newWorker(house, "bob")).inSession();
      await take(house, ["src/mail/**"], { session_id: ada.session });
      const waited = await endedBy(house, { agent_id: ada.session }, () =>
        bob.call("covibe_coordination", {
          operation: "claim",
          repo: "shop",
          paths: ["src/mail/send.ts"],
        }),
      );
      expect(waited.news).toMatchObject([{ kind: "conflict", what: "Test (bob) wants code you hold." }]);
    });

    test("[WA1, WA2] code it was refused that becomes free, unless somebody has taken it meanwhile", async () => {
      const house = await open();
      const ada = await workerOf(house).inSession();
      const bob = await (await newWorker(house, "bob")).inSession();
      const wish = { paths: ["src/mail/send.ts"], session_id: bob.session };
      const refuse = async () => {
        const held = await take(house, ["src/mail/**"], { session_id: ada.session });
        const wanted = await coordinate(house, "claim", { repo: "shop", ...wish }, bob.caller);
        expect(wanted.status).toBe("blocked");
        return () => coordinate(house, "release", { claim_id: held.data.claim_id, session_id: ada.session });
      };
      const waited = await endedBy(house, { agent_id: bob.session }, await refuse(), bob.caller);
      expect(waited.news).toMatchObject([
        { kind: "conflict", what: "Test (ada) released code you wanted.", words: "src/mail/send.ts" },
      ]);
      const { cursor } = waited;
      await (await refuse())();
      await take(house, ["src/mail/**"], { session_id: ada.session });
      await house.entries();
      expect(kindsOf(await look(house, { agent_id: bob.session, cursor }, bob.caller))).toEqual([]);
    });

    test("[WA1] a task that can be taken in a workflow it works in or names, and nobody else's", async () => {
      const house = await open();
      const { ada, ben } = await pair(house);
      const work = await planned(house, [{ name: "Measure" }, { name: "Cut", depends_on: ["Measure"] }]);
      await house.call("task_claim", { task_id: work.task("Measure"), agent_id: ada });
      const { cursor } = await look(house, { agent_id: ben, workflow_id: work.id });
      const other = await beginWait(house, { agent_id: ben, cursor: (await look(house, { agent_id: ben })).cursor });
      const waited = await endedBy(house, { agent_id: ben, workflow_id: work.id, cursor }, () =>
        bring(house, work.task("Measure"), "completed"),
      );
      const ready = { kind: "task", what: "A task is ready.", words: "Cut", about: work.task("Cut") };
      expect(waited.news).toMatchObject([ready]);
      expect(kindsOf(await look(house, { agent_id: ben, cursor }))).toEqual([]);
      expect((await look(house, { agent_id: ada, cursor })).news).toMatchObject([ready]);
      await send(house, ada, ben);
      expect(kindsOf((await other[0]) as Waited)).toEqual(["message"]);
    });

    test("[WA1] a person who resolves its issue, cancels its task or accepts its result", async () => {
      const house = await open();
      const ada = await workerOf(house).inSession();
      const task_id = await ada.begin("Translate the timetable");
      const note = await house.call<{ issue_id: string }>("log_issue", {
        task_id,
        type: "unclear_requirement",
        description: "Which language?",
        resolution: "Waiting.",
        requires_human_review: true,
      });
      const resolved = await endedBy(house, { agent_id: ada.session }, () =>
        house.call("issue_resolve", { id: note.issue_id }),
      );
      expect(resolved.news).toMatchObject([
        { kind: "decision", what: "ada resolved your issue.", words: "Which language?" },
      ]);
      const cancelled = await endedBy(house, { agent_id: ada.session, cursor: resolved.cursor }, () =>
        workerOf(house).task("cancel", { task_id, reason: "Not needed." }),
      );
      expect(cancelled.news).toMatchObject([{ kind: "decision", what: "ada cancelled your task." }]);
    });
  });

  test("[WA2] what it did itself, what it has read and what concerns others ends no wait", async () => {
    const house = await open();
    const { ada, ben } = await pair(house);
    const session = await workerOf(house).inSession();
    const { id } = await send(house, ben, ada);
    await send(house, ada, ben);
    await house.call("message_get", { id });
    await session.call("covibe_coordination", { operation: "announce", message: "I begin." });
    await house.entries();
    expect(kindsOf(await look(house, { agent_id: session.session }))).toEqual([]);
    expect(kindsOf(await look(house, { agent_id: ada, for: ["answer", "decision", "task"] }))).toEqual([]);
    expect((await look(house, { agent_id: ada })).news).toMatchObject([{ words: "I begin." }]);
  });

  test("[WA3] only the kinds that were asked for", async () => {
    const house = await open();
    const { ada, ben } = await pair(house);
    const waiting = await beginWait(house, { agent_id: ada, for: ["conflict"], timeout_seconds: 600 });
    await send(house, ben, ada);
    await house.entries();
    expect(kindsOf(await look(house, { agent_id: ada, for: ["message"] }))).toEqual(["message"]);
    expect(house.house.waiting.count).toBe(1);
    await house.house.waiting.close();
    expect(await waiting[0]).toMatchObject({ ended: "stopping", news: [] });
  });

  test("[WA4, WA10] ten at a time, the rest at once with the next, in order, each once", async () => {
    const house = await open();
    const { ada, ben } = await pair(house);
    for (let at = 0; at < 13; at += 1) await send(house, ben, ada, `Number ${at}`);
    await house.entries();
    const first = await look(house, { agent_id: ada });
    const second = await look(house, { agent_id: ada, cursor: first.cursor });
    const third = await look(house, { agent_id: ada, cursor: second.cursor });
    const words = [first, second, third].map(({ news }) => news.map((item) => item.words));
    expect(words.map((some) => some.length)).toEqual([10, 3, 0]);
    expect(words.flat()).toEqual(Array.from({ length: 13 }, (_, at) => `Number ${at}`));
  });

  test("[WA5] nothing in time is an answer with a cursor", async () => {
    const house = await open();
    const { ada } = await pair(house);
    expect(await look(house, { agent_id: ada })).toMatchObject({ ended: "timeout", news: [], waited_seconds: 0 });
  });

  test("[WA6] a cancelled wait ends at once, and what comes then is told to the next", async () => {
    const house = await open();
    const { ada, ben } = await pair(house);
    const controller = new AbortController();
    const call = { tool: "wait", args: { agent_id: ada }, caller: house.owner, transport: "mcp" as const };
    const waiting = dispatch(house.house, { ...call, signal: controller.signal });
    await until(() => house.house.waiting.count === 1);
    controller.abort();
    expect(await waiting).toMatchObject({ ok: false, failure: { code: "CANCELLED" } });
    await until(() => house.house.waiting.count === 0);
    await send(house, ben, ada);
    await house.entries();
    expect(kindsOf(await look(house, { agent_id: ada }))).toEqual(["message"]);
  });

  test("[WA11] without a cursor an agent goes on after what it was told, from its registration at first", async () => {
    const house = await open();
    const { ada, ben } = await pair(house);
    await send(house, ben, ada, "First");
    await house.entries();
    expect((await look(house, { agent_id: ada })).news).toMatchObject([{ words: "First" }]);
    expect((await look(house, { agent_id: ada })).news).toEqual([]);
    await send(house, ben, ada, "Second");
    await house.entries();
    expect((await look(house, {})).news).toEqual([]);
    expect((await look(house, { agent_id: ada })).news).toMatchObject([{ words: "Second" }]);
  });

  test("[WA12] the same call again is answered from where it began, and another one is not", async () => {
    const house = await open();
    const { ada, ben } = await pair(house);
    await send(house, ben, ada);
    await house.entries();
    const ask = { agent_id: ada, timeout_seconds: 0 };
    const one = await house.reply("wait", ask, house.owner, "key-1");
    const again = await house.reply("wait", ask, house.owner, "key-1");
    const next = await house.reply("wait", ask, house.owner, "key-2");
    const told = [one, again, next].map((reply) => (reply.ok ? kindsOf(reply.value as Waited) : reply.failure));
    expect(told).toEqual([["message"], ["message"], []]);
  });

  test("[WA10, WA13] a cursor outlives the server, and one from elsewhere is refused", async () => {
    const location = freshLocation(kind);
    const house = await openWaitHouse(kind, { location });
    const { ada, ben } = await pair(house);
    const { cursor } = await look(house, { agent_id: ada });
    await send(house, ben, ada);
    await house.entries();
    await house.house.close();
    const next = await openWaitHouse(kind, { location });
    const owner = await next.house.authenticator.identify(house.ownerToken);
    const told = await look(next, { agent_id: ada, cursor }, owner);
    expect(kindsOf(told)).toEqual(["message"]);
    expect(kindsOf(await look(next, { agent_id: ada, cursor: told.cursor }, owner))).toEqual([]);
    const far = Buffer.from("1.zzzzzz").toString("base64url");
    expect(await next.refusal("wait", { agent_id: ada, cursor: far }, owner)).toBe("INVALID_REQUEST");
    expect(await next.refusal("wait", { agent_id: ada, cursor: "elsewhere" }, owner)).toBe("INVALID_REQUEST");
  });

  test("[WA20] a developer without an agent waits for all of theirs, those that join meanwhile too", async () => {
    const house = await open();
    const { ada, ben } = await pair(house);
    const waited = await endedBy(house, {}, () => send(house, ben, ada));
    expect(kindsOf(waited)).toEqual(["message"]);
    const later = await endedBy(house, { cursor: waited.cursor }, async () =>
      send(house, ben, await house.agent("Carl")),
    );
    expect(kindsOf(later)).toEqual(["message"]);
  });

  test("[WA21] foreign, unknown and offline agents cannot wait", async () => {
    const house = await open();
    const { ada } = await pair(house);
    const { caller } = await house.developer("grace");
    expect(await house.refusal("wait", { agent_id: ada }, caller)).toBe("FORBIDDEN");
    expect(await house.refusal("wait", { agent_id: "ag_00000000000000000000000000" })).toBe("AGENT_NOT_FOUND");
    await house.call("agent_unregister", { id: ada });
    expect(await house.refusal("wait", { agent_id: ada })).toBe("INVALID_STATE");
    const inSession = (args: object) => house.refusal("covibe_session", { operation: "wait", ...args });
    expect(await inSession({ session_id: "ag_00000000000000000000000000" })).toBe("AGENT_NOT_FOUND");
    expect(await inSession({ cursor: "nowhere" })).toBe("INVALID_REQUEST");
  });

  test("[WA22] an agent that waits over plain HTTP stays alive, and is resumed when it registers again", async () => {
    const house = await open();
    const { ada, ben } = await pair(house);
    const waiting = await beginWait(house, { agent_id: ada, timeout_seconds: 600 });
    house.clock.advance(180_000);
    await house.sweep();
    expect(await house.call("agent_get", { id: ada })).toMatchObject({ status: "online" });
    expect(await house.call("agent_get", { id: ben })).toMatchObject({ status: "offline" });
    expect(await house.agent("Ada")).toBe(ada);
    await house.house.waiting.close();
    await waiting[0];
  });

  test("[WA23] of somebody private only that it was somebody private", async () => {
    const house = await open();
    const { ada } = await pair(house);
    const { caller: grace } = await house.developer("grace", { private: true });
    const secret = await house.agent("Secret", grace);
    const message = { sender_id: secret, recipient_id: ada, message_type: "query", body: "Psst." };
    const waited = await endedBy(house, { agent_id: ada }, () => house.call("message_send", message, grace));
    expect(waited.news).toMatchObject([{ what: "Message from @private." }]);
  });
});

test("[WA33] on PostgreSQL a commit of another node ends a wait", async () => {
  const location = freshLocation("postgres");
  const one = await openWaitHouse("postgres", { location });
  const two = await openWaitHouse("postgres", { location });
  const { ada, ben } = await pair(one);
  const owner = await two.house.authenticator.identify(one.ownerToken);
  const waited = await endedBy(two, { agent_id: ada }, () => send(one, ben, ada), owner);
  expect(kindsOf(waited)).toEqual(["message"]);
});

test("[WA32] who waits reads nothing while nothing concerns it", async () => {
  const house = await openWaitHouse("sqlite");
  const { ada, ben } = await pair(house);
  const carl = await house.agent("Carl");
  const waiting = await beginWait(house, { agent_id: ada });
  const { store } = house.house;
  const read = store.read.bind(store);
  let reads = 0;
  Object.assign(store, {
    read: (...args: Parameters<typeof read>) => {
      reads += 1;
      return read(...args);
    },
  });
  // Its first look may still be under way.
  await until(async () => {
    const before = reads;
    await new Promise((resolve) => void setImmediate(resolve));
    return reads === before;
  });
  const before = reads;
  for (let at = 0; at < 20; at += 1) await send(house, ben, carl);
  expect(reads - before).toBe(0);
  await send(house, ben, ada);
  expect(kindsOf((await waiting[0]) as Waited)).toEqual(["message"]);
  expect(reads - before).toBeGreaterThan(0);
});
