import { expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf } from "../domain/still-house.ts";
import { oneTask } from "../workflow/work.ts";
import { type Answer, act, begin, feedbackOf, info, refuse, turnedAway, used } from "./session-scene.ts";

const hour = 3_600_000;

interface Read {
  readonly context?: Record<string, unknown> | null;
  readonly contexts: Record<string, unknown>[];
}

const read = (house: TestHouse, args: Record<string, unknown> = {}, caller?: Caller): Promise<Answer<Read>> =>
  act<Read>(house, "get_context", args, caller);

const publish = async (house: TestHouse, args: Record<string, unknown> = {}, caller?: Caller): Promise<string> => {
  const ask = { title: "Paging", summary: "Half done.", repo: "acme/shop", branch: "main", ...args };
  return (await act<{ context_id: string }>(house, "publish_context", ask, caller)).data.context_id;
};

const idsOf = async (house: TestHouse, args: Record<string, unknown> = {}, caller?: Caller): Promise<unknown[]> =>
  (await read(house, args, caller)).data.contexts.map((context) => context["context_id"]);

forEachStillStore("published contexts", (open) => {
  test("[SX11] a summary of 4,000 characters is kept whole, in a context and at the end of a session", async () => {
    const house = await open();
    const [summary, session] = ["x".repeat(4_000), await begin(house)];
    const id = await publish(house, { summary, session_id: session });
    expect((await read(house, { context_id: id })).data.context).toMatchObject({ summary });
    const ended = await traceOf(house, () => act(house, "end", { session_id: session, summary }));
    expect(ended.work).toContainEqual(expect.objectContaining({ data: { summary, session_id: session } }));
    const ask = { title: "Paging", summary: `${summary}x` };
    expect(await refuse(house, "publish_context", ask)).toBe("INVALID_REQUEST");
  });

  test("[SX1, SX5] a context is published, recorded and read back by everyone as it was written", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const session = await begin(house);
    const task = await oneTask(house);
    let id = "";
    const trace = await traceOf(house, async () => {
      const answer = await act<{ context_id: string }>(house, "publish_context", {
        session_id: session,
        title: " Paging ",
        summary: "The query is paged.",
        files_touched: ["src/orders.ts"],
        next_actions: ["Add the buttons."],
        blockers: ["No design."],
        task_ids: [task],
        repo: "acme/shop",
        branch: "work/paging",
        ttl_hours: 2,
      });
      id = answer.data.context_id;
      expect(answer).toEqual({
        status: "ok",
        message: "The team can read your context.",
        feedback: info(null),
        data: {
          context_id: expect.stringMatching(/^ctx_[0-9a-z]{26}$/),
          repo: "acme/shop",
          branch: "work/paging",
          superseded_context_id: null,
          expires_at: momentAt(2 * hour),
        },
      });
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "context.published",
          announced: "session.context_published",
          subject: id,
          channels: [`context:${id}`, `agent:${session}`],
          data: {
            repo: "acme/shop",
            branch: "work/paging",
            title: "Paging",
            expires_at: momentAt(2 * hour),
            supersedes: null,
            session_id: session,
          },
          developerId: house.owner.developerId,
        },
      ],
      usage: [used("publish_context", session)],
    });
    const record = {
      id,
      context_id: id,
      owner: house.owner.handle,
      session_id: session,
      repo: "acme/shop",
      branch: "work/paging",
      title: "Paging",
      summary: "The query is paged.",
      files_touched: ["src/orders.ts"],
      next_actions: ["Add the buttons."],
      blockers: ["No design."],
      task_ids: [task],
      created_at: momentAt(0),
      expires_at: momentAt(2 * hour),
    };
    const message = "This is what is published.";
    expect(await read(house, {}, bob)).toEqual({
      status: "ok",
      message,
      feedback: info(null),
      data: { contexts: [record] },
    });
    for (const developer of [house.owner.handle, `@${house.owner.handle}`, house.owner.developerId]) {
      expect((await read(house, { developer }, bob)).data).toEqual({ context: record, contexts: [record] });
    }
    expect((await read(house, { context_id: id }, bob)).data).toEqual({ context: record, contexts: [record] });
  });

  test("[SX2] a new context replaces the developer's own of the same repository and branch, and no other", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const first = await publish(house);
    const otherBranch = await publish(house, { branch: "next" });
    const nowhere = await publish(house, { repo: undefined, branch: undefined });
    const his = await publish(house, {}, bob);
    house.clock.advance(1);
    const { data } = await act(house, "publish_context", {
      title: "Paging",
      summary: "Done.",
      repo: "acme/shop",
      branch: "main",
    });
    expect(data["superseded_context_id"]).toBe(first);
    const second = data["context_id"];
    expect(new Set(await idsOf(house))).toEqual(new Set([second, otherBranch, nowhere, his]));
    expect(await refuse(house, "get_context", { context_id: first })).toBe("NOT_FOUND");
    const again = await publish(house, { repo: undefined, branch: undefined });
    expect(new Set(await idsOf(house))).toEqual(new Set([second, otherBranch, again, his]));
  });

  test("[SX3] a context takes the place of its session, as its last snapshot has it", async () => {
    const house = await open();
    const session = await begin(house);
    await act(house, "snapshot", { session_id: session, branch: "work/paging" });
    const ask = { session_id: session, title: "Paging", summary: "Begun." };
    const { data } = await act(house, "publish_context", ask);
    expect(data).toMatchObject({ repo: "acme/shop", branch: "work/paging" });
    const named = await act(house, "publish_context", { ...ask, branch: "main" });
    expect(named.data).toMatchObject({ repo: "acme/shop", branch: "main", superseded_context_id: null });
  });

  test.each([
    { ttl: undefined, hours: 24 },
    { ttl: 1, hours: 1 },
    { ttl: 168, hours: 168 },
  ])("[SX4, SX6] with ttl_hours $ttl a context counts for $hours hours to the millisecond", async ({ ttl, hours }) => {
    const house = await open();
    const id = await publish(house, ttl === undefined ? {} : { ttl_hours: ttl });
    house.clock.advance(hours * hour - 1);
    expect(await idsOf(house)).toEqual([id]);
    house.clock.advance(1);
    expect(await idsOf(house)).toEqual([]);
    expect(await idsOf(house, { developer: house.owner.handle })).toEqual([]);
    expect(await refuse(house, "get_context", { context_id: id })).toBe("NOT_FOUND");
  });

  test.each([0, 169, 1.5])("[SX4] ttl_hours %d is refused", async (ttl_hours) => {
    const house = await open();
    const ask = { title: "Paging", summary: "Begun.", ttl_hours };
    expect(await refuse(house, "publish_context", ask)).toBe("INVALID_REQUEST");
  });

  test("[SX5] a teammate's contexts come newest first; nobody's tells whom to ask", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const older = await publish(house, { branch: "a" }, bob);
    house.clock.advance(1);
    const newer = await publish(house, { branch: "b" }, bob);
    const { data } = await read(house, { developer: "bob" });
    expect(data.context).toMatchObject({ context_id: newer, branch: "b" });
    expect(data.contexts.map((context) => context["context_id"])).toEqual([newer, older]);
    expect(await read(house, { developer: house.owner.handle }, bob)).toEqual({
      status: "ok",
      message: "Nothing is published there.",
      feedback: info("Call covibe_coordination with operation ask, to this developer, for what you need to know."),
      data: { context: null, contexts: [] },
    });
    expect(await refuse(house, "get_context", { developer: house.owner.handle, context_id: newer })).toBe("NOT_FOUND");
  });

  test("[SX7] a private developer's context is there and says nothing; by name and id it is unknown", async () => {
    const house = await open();
    const { caller: hidden } = await house.developer("hidden", { private: true });
    const { caller: bob } = await house.developer("bob");
    const session = await begin(house, hidden);
    const task = await oneTask(house, hidden);
    const secret = { title: "Secret", summary: "Secret", files_touched: ["secret.ts"], task_ids: [task] };
    const id = await publish(house, { ...secret, blockers: ["Secret"], session_id: session }, hidden);
    for (const viewer of [house.owner, bob]) {
      const { data } = await read(house, {}, viewer);
      expect(data.contexts).toEqual([
        {
          id,
          context_id: id,
          owner: "@private",
          session_id: null,
          repo: null,
          branch: null,
          title: "@private",
          summary: "",
          files_touched: [],
          next_actions: [],
          blockers: [],
          task_ids: [],
          created_at: momentAt(0),
          expires_at: momentAt(24 * hour),
        },
      ]);
      const asked = [{ developer: "hidden" }, { developer: hidden.developerId }, { developer: "nobody" }];
      const answers = await Promise.all(
        asked.map(async (args) => {
          const reply = await house.reply("covibe_session", { operation: "get_context", ...args }, viewer);
          return reply.ok ? reply.value : reply.failure;
        }),
      );
      expect(answers[0]).toMatchObject({ code: "NOT_FOUND" });
      expect(answers).toEqual([answers[2], answers[2], answers[2]]);
      expect(await refuse(house, "get_context", { context_id: id }, viewer)).toBe("NOT_FOUND");
    }
    for (const args of [{}, { developer: "hidden" }, { context_id: id }]) {
      expect((await read(house, args, hidden)).data.contexts).toEqual([
        expect.objectContaining({ context_id: id, owner: "hidden", title: "Secret", task_ids: [task] }),
      ]);
    }
  });

  test("[SX8] withdrawing takes effect at once, is recorded, and a second time only warns", async () => {
    const house = await open();
    const id = await publish(house);
    const trace = await traceOf(house, async () => {
      expect(await act(house, "revoke_context", { context_id: id })).toEqual({
        status: "ok",
        message: "The context is withdrawn.",
        feedback: info(null),
        data: { context_id: id },
      });
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "context.revoked",
          announced: "session.context_revoked",
          subject: id,
          channels: [`context:${id}`],
          data: { repo: "acme/shop", branch: "main" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [used("revoke_context")],
    });
    expect(await idsOf(house)).toEqual([]);
    const feedback = await feedbackOf(house, async () => {
      const answer = await act(house, "revoke_context", { context_id: id });
      expect(answer).toMatchObject({ status: "warning", data: { context_id: id } });
    });
    expect(feedback).toEqual([expect.objectContaining({ kind: "feedback.warning", subject: id })]);
    const next = await publish(house);
    house.clock.advance(24 * hour);
    expect(await house.eventsOf(() => act(house, "revoke_context", { context_id: next }))).toEqual([]);
  });

  test("[SX8] covibe_session revoke_context refuses another's context with FORBIDDEN and an unknown one with NOT_FOUND", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const id = await publish(house);
    const trace = await traceOf(house, async () => {
      expect(await refuse(house, "revoke_context", { context_id: id }, bob)).toBe("FORBIDDEN");
      expect(await refuse(house, "revoke_context", { context_id: "ctx_unknown" }, bob)).toBe("NOT_FOUND");
    });
    expect(trace).toEqual({
      work: [],
      usage: [turnedAway("revoke_context", "FORBIDDEN"), turnedAway("revoke_context", "NOT_FOUND")],
    });
    expect(await idsOf(house)).toEqual([id]);
  });

  test("[SX9] of eight that are published at once for one place, one stays active", async () => {
    const house = await open();
    const ids = await Promise.all(Array.from({ length: 8 }, () => publish(house)));
    const active = await idsOf(house);
    expect(active).toHaveLength(1);
    expect(ids).toContain(active[0]);
  });

  test("[SX10] covibe_session publish_context refuses an unknown task with TASK_NOT_FOUND and keeps nothing", async () => {
    const house = await open();
    const before = await publish(house);
    const ask = { title: "Paging", summary: "Begun.", repo: "acme/shop", branch: "main", task_ids: ["tk_unknown"] };
    expect(await refuse(house, "publish_context", ask)).toBe("TASK_NOT_FOUND");
    expect(await idsOf(house)).toEqual([before]);
  });
});
