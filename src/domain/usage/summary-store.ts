import type { Db } from "../../storage/db.ts";
import type { Group, Grouping, SpanFilter, Sum } from "./summary-model.ts";

/** The dearest groups of the spans that fit. */
export async function listGroups(db: Db, filter: SpanFilter, by: Grouping, limit: number): Promise<Group[]> {
  const rows = await db.all(
    summing(db, filter, by)
      .select("key")
      .groupBy("key")
      .orderBy((of) => of.fn.coalesce(of.fn.sum("costNanos"), of.lit(0)), "desc")
      .orderBy((of) => of.fn.sum("totalTokens"), "desc")
      .orderBy("key")
      .limit(limit),
  );
  return rows.map((row) => ({ ...sumOf(row), key: row.key }));
}

/** All of them as one. */
export async function sumSpans(db: Db, filter: SpanFilter): Promise<Sum> {
  return sumOf(await db.first(summing(db, filter, "source")));
}

/** Sums come as text: more than a number holds exactly is still told exactly. */
const summing = (db: Db, filter: SpanFilter, by: Grouping) =>
  db.q
    .selectFrom(keyed(fitting(db, filter), by).as("span"))
    .select((of) => [
      of.fn.countAll<number>().as("spans"),
      of.cast<string | null>(of.fn.sum("inputTokens"), "text").as("input"),
      of.cast<string | null>(of.fn.sum("outputTokens"), "text").as("output"),
      of.cast<string | null>(of.fn.sum("cacheReadTokens"), "text").as("cacheRead"),
      of.cast<string | null>(of.fn.sum("cacheCreationTokens"), "text").as("cacheCreation"),
      of.cast<string | null>(of.fn.sum("reasoningTokens"), "text").as("reasoning"),
      of.cast<string | null>(of.fn.sum("totalTokens"), "text").as("total"),
      of.cast<string | null>(of.fn.sum("costNanos"), "text").as("cost"),
      of.fn.count<number>("costNanos").as("priced"),
      of.cast<string | null>(of.fn.sum("isMismatch"), "text").as("mismatches"),
    ]);

/** Databases divide whole numbers into whole numbers, which makes a moment its day. */
const dayMs = 86_400_000;

function keyed(spans: ReturnType<typeof fitting>, by: Grouping) {
  switch (by) {
    case "model":
      return spans.select((of) => of.cast<string | null>("model", "text").as("key"));
    case "session":
      return spans.select((of) => of.cast<string | null>("sessionId", "text").as("key"));
    case "developer":
      return spans.select((of) => of.cast<string | null>("developerId", "text").as("key"));
    case "repository":
      return spans.select((of) => of.cast<string | null>("repo", "text").as("key"));
    case "task":
      return spans.select((of) => of.cast<string | null>("taskId", "text").as("key"));
    case "source":
      return spans.select((of) => of.cast<string | null>("source", "text").as("key"));
    case "channel":
      return spans.select((of) => of.cast<string | null>("channel", "text").as("key"));
    case "day":
      return spans.select((of) => of.cast<string | null>(of("createdAt", "/", of.lit(dayMs)), "text").as("key"));
    case "provenance":
      return spans.select((of) =>
        of
          .cast<string | null>(
            of
              .case()
              .when("isMismatch", "=", 1)
              .then("mismatch")
              .when("costSource", "=", "price_table")
              .then("measured")
              .else("inferred")
              .end(),
            "text",
          )
          .as("key"),
      );
  }
}

function fitting(db: Db, filter: SpanFilter) {
  let query = db.q
    .selectFrom("span")
    .select([
      "inputTokens",
      "outputTokens",
      "cacheReadTokens",
      "cacheCreationTokens",
      "reasoningTokens",
      "totalTokens",
      "costNanos",
      "isMismatch",
    ])
    .where("createdAt", ">=", filter.since)
    .where("createdAt", "<", filter.until);
  const { developerId, sessionId, sessionIds, taskId, repo, model, provenance, hidden } = filter;
  if (developerId !== undefined) query = query.where("developerId", "=", developerId);
  if (sessionId !== undefined) query = query.where("sessionId", "=", sessionId);
  if (sessionIds !== undefined) query = query.where("sessionId", "in", sessionIds);
  if (taskId !== undefined) query = query.where("taskId", "=", taskId);
  if (repo !== undefined) query = query.where("repo", "=", repo);
  if (model !== undefined) query = query.where("model", "=", model);
  if (provenance !== undefined) query = query.where("isMismatch", "=", provenance === "mismatch" ? 1 : 0);
  if (provenance === "measured") query = query.where("costSource", "=", "price_table");
  if (provenance === "inferred") query = query.where("costSource", "!=", "price_table");
  if (hidden.length > 0) query = query.where("developerId", "not in", hidden);
  return query;
}

interface SumRow {
  readonly spans: number;
  readonly priced: number;
  readonly input: string | null;
  readonly output: string | null;
  readonly cacheRead: string | null;
  readonly cacheCreation: string | null;
  readonly reasoning: string | null;
  readonly total: string | null;
  readonly cost: string | null;
  readonly mismatches: string | null;
}

const sumOf = (row: SumRow | undefined): Sum => ({
  spans: Number(row?.spans ?? 0),
  counters: {
    input: Number(row?.input ?? 0),
    output: Number(row?.output ?? 0),
    cacheRead: Number(row?.cacheRead ?? 0),
    cacheCreation: Number(row?.cacheCreation ?? 0),
    reasoning: Number(row?.reasoning ?? 0),
    total: Number(row?.total ?? 0),
  },
  costNanos: BigInt(row?.cost ?? 0),
  unpriced: Number(row?.spans ?? 0) - Number(row?.priced ?? 0),
  mismatches: Number(row?.mismatches ?? 0),
});
