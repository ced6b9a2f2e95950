import { recordOf, textAt } from "../hook/signal.ts";
import { countAt, hasCounts, nothing, type ReadLine, type UsageReport, unknown } from "./report.ts";

/**
 * Gemini CLI writes a message again once its tool calls are known, so a message counts when the next one begins. Its
 * input contains what came from the cache; thoughts stand beside the output.
 */
export const readGeminiLine: ReadLine = (line, context) => {
  const id = textAt(line, "id");
  const tokens = recordOf(line["tokens"]);
  if (id === undefined) return nothing(context);
  // Written before its tokens are known it has none, and is written again.
  if (line["type"] === "gemini" && tokens !== undefined && !hasCounts(tokens, "input", "output"))
    return unknown(context);
  const key = `gemini:${id}`;
  const done = context.pending !== undefined && context.pending.key !== key ? [context.pending] : [];
  const { pending, ...rest } = context;
  const kept = done.length === 0 ? pending : undefined;
  const next = line["type"] === "gemini" && tokens !== undefined ? (reportOf(key, id, line, tokens) ?? kept) : kept;
  return { reports: done, context: next === undefined ? rest : { ...rest, pending: next } };
};

function reportOf(
  key: string,
  id: string,
  line: Readonly<Record<string, unknown>>,
  tokens: Readonly<Record<string, unknown>>,
): UsageReport | undefined {
  const cached = countAt(tokens, "cached");
  const reasoning = countAt(tokens, "thoughts");
  const input = Math.max(0, countAt(tokens, "input") - cached);
  const output = countAt(tokens, "output") + reasoning;
  const total = input + cached + output;
  if (total === 0) return undefined;
  const payload = { id, model: textAt(line, "model") ?? null, input, output, cache_read: cached, reasoning };
  return { key, source: "provider", payload, total };
}
