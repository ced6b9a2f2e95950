import { recordOf, textAt } from "../hook/signal.ts";
import { countAt, hasCounts, nothing, type ReadLine, unknown } from "./report.ts";

const counters = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"] as const;

/** What Claude Code says by itself, an error for one, has no model and costs nothing. */
const madeUp = "<synthetic>";

/**
 * Claude Code writes a line for each block of a message, all with the message's final counts, and a fork copies them
 * into another file: the message and its request are the key. A copy may have no counts at all.
 */
export const readClaudeLine: ReadLine = (line, before) => {
  const version = textAt(line, "version");
  const context = version === undefined ? before : { ...before, version };
  if (line["type"] !== "assistant" || textAt(line, "message", "model") === madeUp) return nothing(context);
  const message = recordOf(line["message"]);
  const usage = recordOf(message?.["usage"]);
  const id = textAt(message, "id");
  if (usage === undefined || id === undefined || !hasCounts(usage, "input_tokens", "output_tokens"))
    return unknown(context);
  const total = counters.reduce((sum, key) => sum + countAt(usage, key), 0);
  if (total === 0) return nothing(context);
  const request = textAt(line, "requestId");
  const lifetimes = recordOf(usage["cache_creation"]);
  const thinking = countAt(recordOf(usage["output_tokens_details"]), "thinking_tokens");
  const payload = {
    id,
    ...(request === undefined ? {} : { request_id: request }),
    model: textAt(message, "model") ?? null,
    usage: {
      ...Object.fromEntries(counters.map((key) => [key, countAt(usage, key)])),
      ...(lifetimes === undefined
        ? {}
        : {
            cache_creation: {
              ephemeral_5m_input_tokens: countAt(lifetimes, "ephemeral_5m_input_tokens"),
              ephemeral_1h_input_tokens: countAt(lifetimes, "ephemeral_1h_input_tokens"),
            },
          }),
      ...(thinking === 0 ? {} : { output_tokens_details: { thinking_tokens: thinking } }),
    },
  };
  return { reports: [{ key: `claude:${id}:${request ?? ""}`, source: "claude-code", payload, total }], context };
};
