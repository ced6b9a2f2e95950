import { describe, expect, test } from "vitest";
import { Refusal } from "../../src/contract/refusal.ts";
import type { Reading, Source } from "../../src/domain/usage/model.ts";
import { readPayload } from "../../src/domain/usage/payload/read-payload.ts";

interface Case {
  readonly what: string;
  readonly source: Source;
  readonly payload: Record<string, unknown>;
  /** Input, output, read from and written to a cache, reasoning. */
  readonly counts: readonly [number, number, number, number, number];
  readonly model: string | null;
  readonly cost?: bigint;
}

const claudeUsage = {
  input_tokens: 10,
  output_tokens: 20,
  cache_read_input_tokens: 300,
  cache_creation_input_tokens: 40,
};
const codexStep = {
  input_tokens: 100,
  cached_input_tokens: 60,
  output_tokens: 30,
  reasoning_output_tokens: 12,
  total_tokens: 130,
};
const otelMap = {
  "gen_ai.request.model": "gpt-5",
  "gen_ai.response.model": "gpt-5-2025-08-07",
  "gen_ai.usage.input_tokens": 100,
  "gen_ai.usage.output_tokens": 50,
  "gen_ai.usage.cache_read.input_tokens": 30,
  "gen_ai.usage.cache_creation.input_tokens": 20,
  "gen_ai.usage.reasoning.output_tokens": 5,
};
const otelList = Object.entries(otelMap).map(([key, value]) => ({
  key,
  value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
}));

const cases: readonly Case[] = [
  {
    what: "counts that the sender has made, whoever it is",
    source: "codex",
    payload: {
      model: "gpt-5-codex",
      direct_counts: { input: 10, output: 20, cache_read: 3, reasoning: 4 },
      cost_usd: 2,
    },
    counts: [10, 20, 3, 0, 4],
    model: "gpt-5-codex",
    cost: 2_000_000_000n,
  },
  {
    what: "a response of the Messages API",
    source: "anthropic",
    payload: { id: "msg_1", model: "claude-sonnet-4-5", content: [{ text: "…" }], usage: claudeUsage },
    counts: [10, 20, 300, 40, 0],
    model: "claude-sonnet-4-5",
  },
  {
    what: "a line of a Claude Code transcript",
    source: "claude",
    payload: { type: "assistant", sessionId: "x", message: { model: "claude-opus-4-5", usage: claudeUsage } },
    counts: [10, 20, 300, 40, 0],
    model: "claude-opus-4-5",
  },
  {
    what: "a hook's input that carries usage",
    source: "claude-code",
    payload: {
      hook_event_name: "Stop",
      model: "claude-haiku-4-5",
      usage: { ...claudeUsage, service_tier: "standard" },
    },
    counts: [10, 20, 300, 40, 0],
    model: "claude-haiku-4-5",
  },
  {
    what: "a usage object alone, with lifetimes of the cache",
    source: "claude",
    payload: {
      model: "claude-sonnet-4-5",
      input_tokens: 1,
      output_tokens: 2,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
    },
    counts: [1, 2, 0, 7, 0],
    model: "claude-sonnet-4-5",
  },
  {
    what: "the result of a run with one model",
    source: "claude-code",
    payload: {
      type: "result",
      total_cost_usd: 0.5,
      usage: claudeUsage,
      modelUsage: {
        "claude-sonnet-4-5": {
          inputTokens: 5,
          outputTokens: 6,
          cacheReadInputTokens: 7,
          cacheCreationInputTokens: 8,
          costUSD: 0.25,
        },
      },
    },
    counts: [5, 6, 7, 8, 0],
    model: "claude-sonnet-4-5",
    cost: 250_000_000n,
  },
  {
    what: "the result of a run with two models",
    source: "claude",
    payload: { total_cost_usd: 0.5, usage: claudeUsage, modelUsage: { a: { inputTokens: 1 }, b: { inputTokens: 2 } } },
    counts: [10, 20, 300, 40, 0],
    model: null,
    cost: 500_000_000n,
  },
  {
    what: "a chat completion",
    source: "openai",
    payload: {
      object: "chat.completion",
      model: "gpt-4.1",
      usage: {
        prompt_tokens: 100,
        completion_tokens: 50,
        total_tokens: 999,
        prompt_tokens_details: { cached_tokens: 80 },
        completion_tokens_details: { reasoning_tokens: 9 },
      },
    },
    counts: [20, 50, 80, 0, 9],
    model: "gpt-4.1",
  },
  {
    what: "a response",
    source: "openai",
    payload: {
      object: "response",
      model: "gpt-5",
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 40 },
      },
    },
    counts: [100, 50, 0, 0, 40],
    model: "gpt-5",
  },
  {
    what: "Codex's response.completed",
    source: "codex",
    payload: {
      type: "response.completed",
      response: { model: "gpt-5-codex", usage: { input_tokens: 7, output_tokens: 3 } },
    },
    counts: [7, 3, 0, 0, 0],
    model: "gpt-5-codex",
  },
  {
    what: "Codex's token_count, of which the last step counts",
    source: "codex",
    payload: {
      type: "event_msg",
      payload: {
        type: "token_count",
        info: { total_token_usage: { ...codexStep, input_tokens: 9_999 }, last_token_usage: codexStep },
      },
    },
    counts: [40, 30, 60, 0, 12],
    model: null,
  },
  {
    what: "Codex's turn.completed",
    source: "codex",
    payload: {
      type: "turn.completed",
      usage: { input_tokens: 24_763, cached_input_tokens: 24_448, output_tokens: 122 },
    },
    counts: [315, 122, 24_448, 0, 0],
    model: null,
  },
  {
    what: "a usage event of Cursor",
    source: "cursor",
    payload: {
      model: "composer-1",
      tokenUsage: { inputTokens: 4, outputTokens: 5, cacheWriteTokens: 6, cacheReadTokens: 7, totalCents: 1.25 },
    },
    counts: [4, 5, 7, 6, 0],
    model: "composer-1",
    cost: 12_500_000n,
  },
  {
    what: "a token count of Cursor's local store",
    source: "cursor",
    payload: { modelName: "claude-sonnet-4-5", tokenCount: { inputTokens: 4, outputTokens: 5 } },
    counts: [4, 5, 0, 0, 0],
    model: "claude-sonnet-4-5",
  },
  {
    what: "a proxy's plain counters",
    source: "proxy",
    payload: { model: "local-7b", input: 4, output: 5, cache_read: 6, cache_creation: 7, reasoning: 1, cost_usd: 0.01 },
    counts: [4, 5, 6, 7, 1],
    model: "local-7b",
    cost: 10_000_000n,
  },
  {
    what: "a proxy that passes on OpenAI's usage with its own cost",
    source: "proxy",
    payload: {
      model: "openai/gpt-4o",
      usage: { prompt_tokens: 10, completion_tokens: 2, cost: 0.5, prompt_tokens_details: { cached_tokens: 4 } },
    },
    counts: [6, 2, 4, 0, 0],
    model: "openai/gpt-4o",
    cost: 500_000_000n,
  },
  {
    what: "a provider's answer with Anthropic's usage",
    source: "provider",
    payload: { model: "claude-opus-4-1", usage: claudeUsage, response_cost: 0.125 },
    counts: [10, 20, 300, 40, 0],
    model: "claude-opus-4-1",
    cost: 125_000_000n,
  },
  {
    what: "a span of OpenTelemetry with a map of attributes",
    source: "otel",
    payload: { name: "chat gpt-5", attributes: otelMap },
    counts: [50, 50, 30, 20, 5],
    model: "gpt-5-2025-08-07",
  },
  {
    what: "a span with OTLP's list of attributes",
    source: "otel",
    payload: { name: "chat gpt-5", attributes: otelList },
    counts: [50, 50, 30, 20, 5],
    model: "gpt-5-2025-08-07",
  },
  {
    what: "an OTLP export",
    source: "otel",
    payload: {
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                { name: "GET /", attributes: [] },
                { name: "chat", attributes: otelList },
              ],
            },
          ],
        },
      ],
    },
    counts: [50, 50, 30, 20, 5],
    model: "gpt-5-2025-08-07",
  },
  {
    what: "older names of OpenTelemetry, with the cache beside the input",
    source: "otel",
    payload: {
      "gen_ai.request.model": "claude-sonnet-4-5",
      "gen_ai.usage.prompt_tokens": 5,
      "gen_ai.usage.completion_tokens": 6,
      "gen_ai.usage.cache_read_input_tokens": 500,
    },
    counts: [5, 6, 500, 0, 0],
    model: "claude-sonnet-4-5",
  },
  {
    what: "a span that came through a proxy",
    source: "proxy",
    payload: { attributes: otelList },
    counts: [50, 50, 30, 20, 5],
    model: "gpt-5-2025-08-07",
  },
];

describe("reading", () => {
  test.each(cases)("[US1, US2] $what", ({ source, payload, counts, model, cost }) => {
    const [input, output, cacheRead, cacheCreation, reasoning] = counts;
    const total = input + output + cacheRead + cacheCreation;
    const expected: Omit<Reading, "longCacheCreation"> = {
      model,
      counters: { input, output, cacheRead, cacheCreation, reasoning, total },
      costNanos: cost ?? null,
    };
    expect(readPayload(source, payload)).toMatchObject(expected);
  });

  test("[US1] what a cache keeps for an hour is told apart", () => {
    const payload = {
      model: "claude-sonnet-4-5",
      usage: { ...claudeUsage, cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 10 } },
    };
    expect(readPayload("claude", payload).longCacheCreation).toBe(10);
  });
});

const refusalOf = (source: Source, payload: Record<string, unknown>): Refusal => {
  try {
    readPayload(source, payload);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("it was read");
};

describe("refusing", () => {
  test.each<{ source: Source; payload: Record<string, unknown>; missing: string[] }>([
    {
      source: "claude",
      payload: { model: "claude-sonnet-4-5", usage: { total_tokens: 50 } },
      missing: ["input", "output"],
    },
    { source: "openai", payload: { usage: { prompt_tokens: 5, total_tokens: 50 } }, missing: ["output"] },
    { source: "codex", payload: { type: "turn.completed" }, missing: ["input", "output"] },
    { source: "cursor", payload: { tokenUsage: { outputTokens: 5 } }, missing: ["input"] },
    { source: "proxy", payload: { total: 12 }, missing: ["input", "output"] },
    { source: "otel", payload: { attributes: [{ key: "gen_ai.usage.total_tokens" }] }, missing: ["input", "output"] },
    { source: "claude", payload: { hook_event_name: "Stop", transcript_path: "/x" }, missing: ["input", "output"] },
  ])("[US3] a report of $source without split counters names what is missing", ({ source, payload, missing }) => {
    expect(refusalOf(source, payload)).toMatchObject({ code: "INVALID_INPUT", details: { missing } });
  });

  test.each([
    -1,
    1.5,
    1e308,
    1_000_000_001,
    "12",
    "NaN",
    true,
    [3],
    { n: 1 },
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])("[US4] %j is no count of tokens", (value) => {
    for (const [source, payload] of [
      ["claude", { usage: { ...claudeUsage, input_tokens: value } }],
      ["openai", { usage: { prompt_tokens: 1, completion_tokens: value } }],
      ["cursor", { tokenUsage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: value } }],
      ["proxy", { input: value, output: 1 }],
      ["otel", { attributes: { ...otelMap, "gen_ai.usage.output_tokens": value } }],
    ] as const) {
      const refusal = refusalOf(source, payload);
      expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { counter: expect.any(String) } });
      expect(JSON.stringify([refusal.message, refusal.hint, refusal.details])).not.toContain(JSON.stringify(value));
    }
  });

  test.each([
    { what: "more from the cache than input", payload: { usage: { ...codexStep, cached_input_tokens: 101 } } },
    { what: "more reasoning than output", payload: { usage: { ...codexStep, reasoning_output_tokens: 31 } } },
  ])("[US4] $what is a contradiction", ({ payload }) => {
    expect(refusalOf("codex", payload)).toMatchObject({ code: "INVALID_INPUT" });
  });

  test("[US4] several spans with counters are not added up", () => {
    const spans = [{ attributes: otelList }, { attributes: [] }, { attributes: otelList }];
    const payload = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    expect(refusalOf("otel", payload)).toMatchObject({ code: "INVALID_INPUT", details: { spans: 2 } });
  });

  test.each([-0.5, 1e308, "0.5", 1_000_001])("[US4] %j is no amount of money", (cost) => {
    expect(refusalOf("proxy", { input: 1, output: 1, cost })).toMatchObject({ details: { counter: "cost" } });
  });

  test.each([
    "cdk_tok01abcdefghijklmnopqrstuvwx_secret",
    "sk-ant-api03-abc",
    "ghp_abcdef",
    "a model with spaces",
    "x".repeat(101),
    "drop\ntable",
    7,
    null,
  ])("[US6] %j is not kept as the name of a model", (model) => {
    expect(readPayload("claude", { model, usage: claudeUsage }).model).toBeNull();
  });

  test("[US1] a key that only a prototype has is not there", () => {
    const payload = JSON.parse('{"__proto__": {"input_tokens": 1, "output_tokens": 1}}') as Record<string, unknown>;
    expect(refusalOf("claude", payload).code).toBe("INVALID_INPUT");
  });
});
