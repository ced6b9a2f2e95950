import { recordOf, textAt } from "../hook/signal.ts";
import {
  type Context,
  countAt,
  hasCounts,
  nothing,
  type Read,
  type ReadLine,
  type UsageReport,
  unknown,
} from "./report.ts";

const counters = ["input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens"] as const;
type Counts = Readonly<Record<(typeof counters)[number], number>>;

/**
 * Codex writes a record for each response. Older versions only repeat the sum of the thread, which begins at the parent's
 * in a fork: there the differences within one file are what was used.
 */
export const readCodexLine: ReadLine = (line, context) => {
  const payload = recordOf(line["payload"]);
  if (line["type"] === "session_meta") return readMeta(payload, context);
  if (line["type"] === "turn_context") return nothing(withModel(context, textAt(payload, "model")));
  if (line["type"] === "token_usage_record" && payload !== undefined) return readRecord(payload, context);
  if (line["type"] === "event_msg" && payload?.["type"] === "token_count") return readSum(line, payload, context);
  return nothing(context);
};

const withModel = (context: Context, model: string | undefined): Context =>
  model === undefined ? context : { ...context, model };

/** A fork may repeat its parent's beginning; the first that is said of itself counts. */
function readMeta(payload: Readonly<Record<string, unknown>> | undefined, context: Context): Read {
  if (context.version !== undefined) return nothing(context);
  const isFork = textAt(payload, "forked_from_id") !== undefined || textAt(payload, "parent_thread_id") !== undefined;
  const version = textAt(payload, "cli_version") ?? "";
  const next: Context = { ...context, version, ...(isFork ? { isFork: true } : {}) };
  // Its history is in a database then, and what is here is not all of it.
  return textAt(payload, "history_mode") === "paginated" ? unknown(next) : nothing(next);
}

function readRecord(payload: Readonly<Record<string, unknown>>, context: Context): Read {
  const id = textAt(payload, "response_id");
  const usage = recordOf(payload["usage"]);
  if (id === undefined || !hasCounts(usage, "input_tokens", "output_tokens")) return unknown(context);
  const counts = countsIn(usage);
  const ownTotal = countAt(recordOf(payload["thread_token_usage"]), "total_tokens");
  const next: Context = {
    ...withParent(context, ownTotal - totalOf(counts)),
    isByRequest: true,
    ...(ownTotal === 0 ? {} : { ownTotal }),
  };
  if (totalOf(counts) === 0) return nothing(next);
  return { reports: [reportOf(`codex:${id}`, id, counts, context.model)], context: next };
}

function readSum(
  line: Readonly<Record<string, unknown>>,
  payload: Readonly<Record<string, unknown>>,
  context: Context,
): Read {
  if (context.isByRequest) return nothing(context);
  const info = recordOf(payload["info"]);
  const total = recordOf(info?.["total_token_usage"]);
  // It also tells the limits of an account, without any usage.
  if (total === undefined) return info === undefined ? nothing(context) : unknown(context);
  const sum = countsIn(total);
  // The first sum of a file may be its parent's; the last step is what this file has added to it.
  const before = context.sum ?? lessOf(sum, countsIn(recordOf(info?.["last_token_usage"])));
  const next: Context = {
    ...withParent(context, totalOf(countsIn(before))),
    sum,
    ownTotal: countAt(total, "total_tokens"),
  };
  const step = lessOf(sum, before);
  if (totalOf(step) === 0) return nothing(next);
  const id = `${textAt(line, "timestamp") ?? ""}:${totalOf(sum)}`;
  return { reports: [reportOf(`codex:${id}`, id, step, context.model)], context: next };
}

const withParent = (context: Context, total: number): Context =>
  context.isFork && context.parentTotal === undefined ? { ...context, parentTotal: Math.max(0, total) } : context;

const countsIn = (fields: Readonly<Record<string, unknown>> | undefined): Counts =>
  Object.fromEntries(counters.map((key) => [key, countAt(fields, key)])) as Counts;

const lessOf = (sum: Counts, before: Readonly<Record<string, number>>): Counts =>
  Object.fromEntries(counters.map((key) => [key, Math.max(0, sum[key] - (before[key] ?? 0))])) as Counts;

/** Input contains what came from the cache, output the reasoning. */
const totalOf = (counts: Counts): number => counts.input_tokens + counts.output_tokens;

const reportOf = (key: string, id: string, usage: Counts, model: string | undefined): UsageReport => ({
  key,
  source: "codex",
  payload: { id, model: model ?? null, usage },
  total: totalOf(usage),
});
