import type { Reading } from "../model.ts";
import { splitCounters } from "./counted.ts";
import { costIn, countIn, type Fields, firstFields, modelIn } from "./fields.ts";

/** Cursor: the token usage of its events and of its local store. Cached input stands beside the input; money is in cents. */
export function readCursor(payload: Fields): Reading {
  const usage = firstFields(payload, [["tokenUsage"], ["token_usage"], ["tokenCount"], ["usage"]]) ?? payload;
  return {
    model: modelIn([payload, usage], "model", "modelName", "model_name"),
    counters: splitCounters({
      input: countIn(usage, "input", "inputTokens", "input_tokens"),
      output: countIn(usage, "output", "outputTokens", "output_tokens"),
      cacheRead: countIn(usage, "cache_read", "cacheReadTokens", "cache_read_tokens"),
      cacheCreation: countIn(usage, "cache_creation", "cacheWriteTokens", "cache_write_tokens", "cacheCreationTokens"),
      reasoning: countIn(usage, "reasoning", "reasoningTokens", "reasoning_tokens"),
      isInputWhole: false,
    }),
    longCacheCreation: 0,
    costNanos: costIn(usage, 100, "totalCents") ?? costIn(payload, 100, "totalCents", "chargedCents"),
  };
}
