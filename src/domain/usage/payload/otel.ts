import { Refusal } from "../../../contract/refusal.ts";
import type { Reading } from "../model.ts";
import { splitCounters } from "./counted.ts";
import { costIn, countIn, type Fields, fieldsOf, modelIn } from "./fields.ts";

/**
 * A span that follows the GenAI conventions of OpenTelemetry, alone or in an OTLP export. Input should contain what came
 * from and went to caches; where it cannot, because there is more of that than input, it stands beside it.
 */
export function readOtel(payload: Fields): Reading {
  const attributes = attributesOf(spanIn(payload) ?? payload);
  const count = (what: string, ...names: readonly string[]): number | undefined =>
    countIn(attributes, what, ...names.map((name) => `gen_ai.usage.${name}`));
  const input = count("input", "input_tokens", "prompt_tokens");
  const cacheRead = count("cache_read", "cache_read.input_tokens", "cache_read_input_tokens", "input_tokens.cached");
  const cacheCreation = count(
    "cache_creation",
    "cache_creation.input_tokens",
    "cache_creation_input_tokens",
    "cache_write_input_tokens",
  );
  return {
    model: modelIn([attributes], "gen_ai.response.model", "gen_ai.request.model"),
    counters: splitCounters({
      input,
      output: count("output", "output_tokens", "completion_tokens"),
      cacheRead,
      cacheCreation,
      reasoning: count("reasoning", "reasoning.output_tokens", "output_tokens.reasoning", "reasoning_tokens"),
      isInputWhole: (cacheRead ?? 0) + (cacheCreation ?? 0) <= (input ?? 0),
    }),
    longCacheCreation: 0,
    costNanos: costIn(attributes, 1, "gen_ai.usage.cost", "gen_ai.usage.cost_usd"),
  };
}

/**
 * The one span of an export that has counters. Of several an outer one may repeat what inner ones count, and each may
 * have its own model, so they are not added up.
 */
function spanIn(payload: Fields): Fields | undefined {
  const [span, ...more] = childrenOf(payload, "resourceSpans", "resource_spans")
    .flatMap((resource) => childrenOf(resource, "scopeSpans", "scope_spans"))
    .flatMap((scope) => childrenOf(scope, "spans"))
    .filter((one) => Object.keys(attributesOf(one)).some((name) => name.startsWith("gen_ai.usage.")));
  if (more.length === 0) return span;
  throw new Refusal(
    "INVALID_INPUT",
    "The export has several spans with counters.",
    "Send each span in a call of its own. Nothing was recorded.",
    { spans: more.length + 1 },
  );
}

const childrenOf = (parent: Fields, ...keys: readonly string[]): Fields[] =>
  keys
    .flatMap((key) => (Array.isArray(parent[key]) ? (parent[key] as unknown[]) : []))
    .flatMap((child): Fields[] => [fieldsOf(child) ?? {}]);

/** Attributes by name, whether they are written as a map or as OTLP's list of keys and values. */
function attributesOf(span: Fields): Fields {
  const { attributes } = span;
  if (!Array.isArray(attributes)) return fieldsOf(attributes) ?? span;
  return Object.fromEntries(
    attributes.flatMap((pair: unknown) => {
      const { key, value } = fieldsOf(pair) ?? {};
      return typeof key === "string" ? [[key, plainValue(value)]] : [];
    }),
  );
}

/** OTLP writes 64-bit integers as text. */
function plainValue(value: unknown): unknown {
  const typed = fieldsOf(value);
  if (typed === undefined) return value;
  const { intValue, doubleValue, stringValue } = typed;
  if (typeof intValue === "string") return /^-?\d{1,20}$/.test(intValue) ? Number(intValue) : intValue;
  return intValue ?? doubleValue ?? stringValue;
}
