import type { Reading } from "../model.ts";
import { readAnthropic } from "./anthropic.ts";
import { splitCounters } from "./counted.ts";
import { costIn, countIn, type Fields, firstFields, modelIn } from "./fields.ts";
import { readOpenAi } from "./openai.ts";
import { readOtel } from "./otel.ts";

/**
 * What stands between an agent and its provider: it passes on the provider's own usage object, or counters under plain
 * names. Which it is can be told by the names of the keys alone.
 */
export function readProxy(payload: Fields): Reading {
  if (hasAny(payload, ["resourceSpans", "resource_spans"]) || hasOtelNames(payload)) return readOtel(payload);
  const usage = firstFields(payload, usagePaths) ?? payload;
  if (hasAny(usage, anthropicKeys)) return withProxyCost(payload, readAnthropic(payload));
  if (hasAny(usage, openAiKeys)) return withProxyCost(payload, readOpenAi(payload));
  return withProxyCost(payload, readPlain(payload, usage));
}

/** Counters that say what they are; cached input stands beside the input. */
const readPlain = (payload: Fields, usage: Fields): Reading => ({
  model: modelIn([payload, usage], "model", "model_name", "modelName"),
  counters: splitCounters({
    input: countIn(usage, "input", "input_tokens", "inputTokens", "input", "prompt_tokens"),
    output: countIn(usage, "output", "output_tokens", "outputTokens", "output", "completion_tokens"),
    cacheRead: countIn(usage, "cache_read", "cache_read_tokens", "cacheReadTokens", "cache_read"),
    cacheCreation: countIn(usage, "cache_creation", "cache_creation_tokens", "cacheCreationTokens", "cache_creation"),
    reasoning: countIn(usage, "reasoning", "reasoning_tokens", "reasoningTokens", "reasoning"),
    isInputWhole: false,
  }),
  longCacheCreation: 0,
  costNanos: null,
});

const withProxyCost = (payload: Fields, reading: Reading): Reading => ({
  ...reading,
  costNanos:
    reading.costNanos ?? costIn(payload, 1, "response_cost", "cost_usd", "total_cost_usd", "total_cost", "cost"),
});

const usagePaths = [["direct_counts"], ["usage"], ["message", "usage"], ["response", "usage"]] as const;
const anthropicKeys = ["cache_read_input_tokens", "cache_creation_input_tokens"];
const openAiKeys = ["prompt_tokens", "input_tokens_details", "prompt_tokens_details", "cached_input_tokens"];

const hasAny = (fields: Fields, keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(fields, key));

function hasOtelNames({ attributes, ...rest }: Fields): boolean {
  const names = Array.isArray(attributes)
    ? attributes.map((pair: unknown) => (pair as { key?: unknown } | null)?.key)
    : Object.keys(typeof attributes === "object" && attributes !== null ? attributes : rest);
  return names.some((name) => typeof name === "string" && name.startsWith("gen_ai.usage."));
}
