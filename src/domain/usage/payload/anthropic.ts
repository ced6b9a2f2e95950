import type { Reading } from "../model.ts";
import { splitCounters } from "./counted.ts";
import { costIn, countIn, type Fields, fieldsAt, fieldsOf, firstFields, modelIn } from "./fields.ts";

/**
 * Claude: the usage object of the Messages API, a line of a Claude Code transcript, the input of one of its hooks, its
 * `--output-format json` result and its `api_request` event. Cached input stands beside `input_tokens`, not in it.
 */
export function readAnthropic(payload: Fields): Reading {
  const perModel = Object.entries(fieldsAt(payload, "modelUsage") ?? {});
  const [only] = perModel;
  if (perModel.length === 1 && only) return readModelUsage(payload, only);
  const usage = firstFields(payload, usagePaths) ?? payload;
  const lifetimes = fieldsAt(usage, "cache_creation");
  const hour = countIn(lifetimes, "cache_creation", "ephemeral_1h_input_tokens") ?? 0;
  const fiveMinutes = countIn(lifetimes, "cache_creation", "ephemeral_5m_input_tokens") ?? 0;
  const creationKeys = ["cache_creation_input_tokens", "cache_creation_tokens"];
  const counters = splitCounters({
    input: countIn(usage, "input", "input_tokens"),
    output: countIn(usage, "output", "output_tokens"),
    cacheRead: countIn(usage, "cache_read", "cache_read_input_tokens", "cache_read_tokens"),
    cacheCreation: countIn(usage, "cache_creation", ...creationKeys) ?? hour + fiveMinutes,
    reasoning: countIn(fieldsAt(usage, "output_tokens_details"), "reasoning", "thinking_tokens", "reasoning_tokens"),
    isInputWhole: false,
  });
  return {
    model: modelIn([fieldsAt(payload, "message"), fieldsAt(payload, "response"), usage, payload], "model"),
    counters,
    longCacheCreation: Math.min(hour, counters.cacheCreation),
    costNanos: costIn(payload, 1, "total_cost_usd", "cost_usd", "costUSD"),
  };
}

const usagePaths = [["message", "usage"], ["usage"], ["response", "usage"], ["data", "usage"], ["attributes"]] as const;

/** The result of a whole run with one model; a run with several is counted by its sum, without a model's name. */
function readModelUsage(payload: Fields, [model, value]: [string, unknown]): Reading {
  const usage = fieldsOf(value);
  return {
    model: modelIn([{ model }], "model"),
    counters: splitCounters({
      input: countIn(usage, "input", "inputTokens"),
      output: countIn(usage, "output", "outputTokens"),
      cacheRead: countIn(usage, "cache_read", "cacheReadInputTokens"),
      cacheCreation: countIn(usage, "cache_creation", "cacheCreationInputTokens"),
      isInputWhole: false,
    }),
    longCacheCreation: 0,
    costNanos: costIn(usage, 1, "costUSD") ?? costIn(payload, 1, "total_cost_usd"),
  };
}
