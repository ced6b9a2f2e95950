import { expect, test } from "vitest";
import { hashJson } from "../../src/domain/canonical-json.ts";
import { priceVersion } from "../../src/domain/usage/price-table.ts";
import { forEachStore, openTestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, opening, traceOf } from "../domain/still-house.ts";
import { addTask, claudeReport, ingest, startSession } from "./usage.ts";

const payload = {
  id: "msg_1",
  model: "claude-sonnet-4-5",
  content: "words nobody keeps",
  usage: { input_tokens: 1_000, output_tokens: 100, cache_read_input_tokens: 10_000 },
};

const counters = { input: 1_000, output: 100, cache_read: 10_000, cache_creation: 0, reasoning: 0, total: 11_100 };

forEachStillStore("a report", (open) => {
  test("[US1, US2, US9, US20] is answered with its counters and recorded once, for its session and task", async () => {
    const house = await open();
    const session_id = await startSession(house, "acme/shop");
    const task_id = await addTask(house, "Cart");
    const args = { source: "claude", payload, submitted_cost_usd: 0.0075, session_id, task_id };
    const answers: unknown[] = [];
    const { work, usage } = await traceOf(house, async () => answers.push(await ingest(house, args)));

    const [span] = await house.house.store.read((db) => db.all(db.q.selectFrom("span").selectAll()));
    expect(answers).toEqual([
      {
        status: "ok",
        message: "Recorded 11100 tokens.",
        feedback: { type: "info", required_action: null },
        data: {
          span_id: span?.id,
          model: "claude-sonnet-4-5",
          counters,
          cost_usd: 0.0075,
          cost_source: "price_table",
          cost_mismatch: false,
          price_version: priceVersion,
          verified: true,
          repeated: false,
          budgets_passed: [],
        },
      },
    ]);
    expect(span).toEqual({
      id: expect.stringMatching(/^sp_/),
      developerId: house.owner.developerId,
      sessionId: session_id,
      taskId: task_id,
      repo: "acme/shop",
      source: "claude",
      channel: "call",
      model: "claude-sonnet-4-5",
      inputTokens: 1_000,
      outputTokens: 100,
      cacheReadTokens: 10_000,
      cacheCreationTokens: 0,
      reasoningTokens: 0,
      totalTokens: 11_100,
      costNanos: 7_500_000,
      costSource: "price_table",
      submittedNanos: 7_500_000,
      isMismatch: 0,
      priceVersion,
      payloadHash: hashJson(payload),
      createdAt: opening,
    });
    expect(work).toEqual([
      {
        kind: "span.recorded",
        announced: "usage:recorded",
        subject: span?.id,
        channels: [`span:${span?.id}`, `agent:${session_id}`],
        developerId: house.owner.developerId,
        data: {
          session_id,
          task_id,
          source: "claude",
          model: "claude-sonnet-4-5",
          total_tokens: 11_100,
          cost_usd: 0.0075,
          cost_source: "price_table",
          cost_mismatch: false,
        },
      },
    ]);
    expect(usage).toMatchObject([{ tool: "covibe_ingest_agent_telemetry", outcome: "ok", agent_id: session_id }]);
  });

  test("[US7] that was sent before is one span, whatever the order of its keys", async () => {
    const house = await open();
    const first = await ingest(house, { source: "claude", payload });
    const again = { source: "claude", payload: Object.fromEntries(Object.entries(payload).reverse()) };
    const { work } = await traceOf(house, async () => {
      const second = await ingest(house, again);
      expect(second).toMatchObject({ status: "ok", feedback: { type: "info" } });
      expect(second.data).toEqual({ ...first.data, repeated: true });
      const costs = [first.data["cost_usd"], 9].map((submitted_cost_usd) => ({ ...again, submitted_cost_usd }));
      const flags = await Promise.all(costs.map(async (report) => (await ingest(house, report)).data["cost_mismatch"]));
      expect(flags).toEqual([false, true]);
    });
    expect(work).toEqual([]);
    const { caller: bob } = await house.developer("bob");
    expect((await ingest(house, again, bob)).status).toBe("ok");
    expect((await house.call<{ total: object }>("usage_report")).total).toMatchObject({ spans: 2, total: 22_200 });
  });

  test("[US8] for somebody else's session or task is refused and linked to neither", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const [session_id, task_id] = [await startSession(house, "acme/shop"), await addTask(house, "Cart")];
    const { work, usage } = await traceOf(house, async () => {
      for (const link of [{ session_id }, { task_id }]) {
        const args = { source: "claude", payload, ...link };
        expect(await house.refusal("covibe_ingest_agent_telemetry", args, bob)).toBe("FORBIDDEN");
      }
      for (const [link, code] of [
        [{ session_id: "ag_unknown" }, "SESSION_NOT_FOUND"],
        [{ task_id: "tk_unknown" }, "TASK_NOT_FOUND"],
      ] as const) {
        const args = { source: "claude", payload, ...link };
        expect(await house.refusal("covibe_ingest_agent_telemetry", args, bob)).toBe(code);
      }
    });
    expect(work).toEqual([]);
    expect(usage).toHaveLength(4);
    for (const entry of usage) expect(entry).not.toHaveProperty("agent_id");
    expect((await house.call<{ total: object }>("usage_report")).total).toMatchObject({ spans: 0 });
  });

  test("[US3, US4, US10] that cannot be read is refused and nothing is recorded", async () => {
    const house = await open();
    const { work } = await traceOf(house, async () => {
      const refusalOf = (args: Record<string, unknown>) => house.refusal("covibe_ingest_agent_telemetry", args);
      expect(await refusalOf({ source: "claude", payload: { usage: { total_tokens: 5 } } })).toBe("INVALID_INPUT");
      expect(await refusalOf({ source: "claude", payload: { usage: { input_tokens: -1, output_tokens: 1 } } })).toBe(
        "INVALID_INPUT",
      );
      const large = { ...payload, content: "x".repeat(1024 * 1024) };
      expect(await refusalOf({ source: "claude", payload: large })).toBe("TOO_LARGE");
      let deep: Record<string, unknown> = {};
      for (let level = 0; level < 70; level += 1) deep = { deep };
      expect(await refusalOf({ source: "claude", payload: { ...payload, deep } })).toBe("TOO_LARGE");
      for (const wrong of [
        { source: "oracle" },
        { payload: [] },
        { submitted_cost_usd: -1 },
        { submitted_cost_usd: 1e308 },
      ]) {
        expect(await refusalOf({ source: "claude", payload, ...wrong })).toBe("INVALID_REQUEST");
      }
    });
    expect(work).toEqual([]);
  });

  test("[US9] may come after its session has ended", async () => {
    const house = await open();
    const session_id = await startSession(house, "acme/shop");
    await house.call("covibe_session", { operation: "end", session_id });
    expect((await ingest(house, { source: "claude", payload, session_id })).status).toBe("ok");
  });
});

forEachStore("reports at the same moment", (open) => {
  test("[US7] twenty times the same is one span", async () => {
    const house = await open();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ingest(house, { source: "claude", payload })));
    expect(new Set(answers.map(({ data }) => data["span_id"])).size).toBe(1);
    expect(answers.filter(({ data }) => data["repeated"] === false)).toHaveLength(1);
  });
});

test("[US25] configured prices count in a call", async () => {
  const free = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0, longCacheCreation: 0 };
  const house = await openTestHouse("sqlite", {
    ports: { usage: { listPrices: () => [{ model: "in-house-*", ...free, output: 2 }] } },
  });
  const report = { source: "proxy", payload: { model: "in-house-8b", input: 9, output: 1_000_000, cost: 5 } };
  expect((await ingest(house, report)).data).toMatchObject({
    cost_usd: 2,
    cost_source: "price_table",
    cost_mismatch: true,
    price_version: "configured",
  });
});

test("[US21] an unknown model keeps the provider's figure, else none", async () => {
  const house = await openTestHouse("sqlite");
  const report = { source: "proxy", payload: { model: "mystery", input: 9, output: 1 } };
  expect((await ingest(house, { ...report, submitted_cost_usd: 0.25 })).data).toMatchObject({
    cost_usd: 0.25,
    cost_source: "provider",
    cost_mismatch: false,
  });
  const silent = { source: "proxy", payload: { model: "mystery", input: 9, output: 2 } };
  expect((await ingest(house, silent)).data).toMatchObject({ cost_usd: null, cost_source: "unknown" });
});

test("[US22] a submitted cost that is off by more than one per cent is flagged", async () => {
  const house = await openTestHouse("sqlite");
  const flags = [];
  for (const factor of [1, 1.005, 1.02, 0.98]) {
    const answer = await ingest(house, { ...claudeReport(3), submitted_cost_usd: 3 * factor });
    flags.push(answer.data["cost_mismatch"]);
  }
  expect(flags).toEqual([false, false, true, true]);
});
