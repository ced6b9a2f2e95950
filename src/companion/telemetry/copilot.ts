import { recordOf, textAt } from "../hook/signal.ts";
import { countAt, hasCounts, nothing, type ReadLine, unknown } from "./report.ts";

/** Copilot CLI writes one record for each call; its input contains what came from the cache, its output the reasoning. */
export const readCopilotLine: ReadLine = (line, context) => {
  const usage = recordOf(recordOf(line["data"])?.["usage"]);
  const id = textAt(usage, "apiCallId");
  if (line["type"] !== "session.usage_record") return nothing(context);
  if (id === undefined || !hasCounts(usage, "inputTokens", "outputTokens")) return unknown(context);
  const [read, written] = [countAt(usage, "cacheReadTokens"), countAt(usage, "cacheWriteTokens")];
  const input = Math.max(0, countAt(usage, "inputTokens") - read);
  const output = countAt(usage, "outputTokens");
  const total = input + read + written + output;
  if (total === 0) return nothing(context);
  const payload = {
    id,
    model: textAt(usage, "model") ?? null,
    input,
    output,
    cache_read: read,
    cache_creation: written,
    reasoning: Math.min(output, countAt(usage, "reasoningTokens")),
  };
  return { reports: [{ key: `copilot:${id}`, source: "provider", payload, total }], context };
};
