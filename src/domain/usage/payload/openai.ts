import type { Reading } from "../model.ts";
import { splitCounters } from "./counted.ts";
import { costIn, countIn, type Fields, fieldsAt, firstFields, modelIn } from "./fields.ts";

/**
 * OpenAI: chat completions, responses, Codex's `response.completed`, `turn.completed` and `token_count` lines. Input
 * contains what came from the cache, output contains the reasoning.
 */
export function readOpenAi(payload: Fields): Reading {
  const usage = firstFields(payload, usagePaths) ?? payload;
  const inputDetails = firstFields(usage, [["input_tokens_details"], ["prompt_tokens_details"]]);
  const outputDetails = firstFields(usage, [["output_tokens_details"], ["completion_tokens_details"]]);
  return {
    model: modelIn(
      modelPlaces.map((path) => fieldsAt(payload, ...path)),
      "model",
    ),
    counters: splitCounters({
      input: countIn(usage, "input", "input_tokens", "prompt_tokens"),
      output: countIn(usage, "output", "output_tokens", "completion_tokens"),
      cacheRead:
        countIn(inputDetails, "cache_read", "cached_tokens") ??
        countIn(usage, "cache_read", "cached_input_tokens", "cached_tokens"),
      cacheCreation: countIn(inputDetails, "cache_creation", "cache_write_tokens", "cache_creation_tokens"),
      reasoning:
        countIn(outputDetails, "reasoning", "reasoning_tokens") ??
        countIn(usage, "reasoning", "reasoning_output_tokens", "reasoning_tokens"),
      isInputWhole: true,
    }),
    longCacheCreation: 0,
    costNanos: costIn(usage, 1, "cost") ?? costIn(payload, 1, "cost_usd", "total_cost_usd"),
  };
}

/** A line that has both the sum of a session and its last step is about the last step: the others were told before. */
const usagePaths = [
  ["response", "usage"],
  ["usage"],
  ["payload", "info", "last_token_usage"],
  ["info", "last_token_usage"],
  ["last_token_usage"],
  ["payload", "info", "total_token_usage"],
  ["info", "total_token_usage"],
  ["payload", "response", "usage"],
  ["data", "usage"],
] as const;

const modelPlaces = [["response"], [], ["payload"], ["payload", "info"], ["payload", "response"], ["info"]] as const;
