import type { ModelPrice } from "../../contract/price.ts";
import type { CallMaker } from "../../contract/words.ts";
import type { Counters, Reading, Span } from "./model.ts";
import { nanosOf } from "./money-model.ts";
import { priceTable, priceVersion } from "./price-table.ts";

/** What the house thinks a use has cost, where that comes from, and whether the sender thinks otherwise (US20–US22). */
interface CostDecision {
  readonly costNanos: bigint | null;
  readonly costSource: Span["costSource"];
  readonly submittedNanos: bigint | null;
  readonly isMismatch: boolean;
  readonly priceVersion: string | null;
}

/** Our own table goes before what others say; prices of the configuration go before those of the table. */
export function decideCost(
  reading: Reading,
  ask: { submittedNanos: bigint | null; prices: readonly ModelPrice[] },
): CostDecision {
  const price = findPrice(reading.model, ask.prices);
  const told = ask.submittedNanos ?? reading.costNanos;
  const costNanos = price ? costOf(reading, price.price) : (reading.costNanos ?? ask.submittedNanos);
  return {
    costNanos,
    costSource: price ? "price_table" : costNanos === null ? "unknown" : "provider",
    submittedNanos: told,
    isMismatch: costNanos !== null && told !== null && isOffByMoreThanOnePercent(told, costNanos),
    priceVersion: price?.version ?? null,
  };
}

/** Measuring from outside says more of a report than who passed it on (US36). */
export function channelOf(source: Span["source"], madeBy: CallMaker | undefined): Exclude<Span["channel"], null> {
  if (source === "otel" || source === "proxy") return source;
  return madeBy === "hook" || madeBy === "transcript" || madeBy === "inbox" ? madeBy : "call";
}

const isOffByMoreThanOnePercent = (told: bigint, cost: bigint): boolean =>
  (told > cost ? told - cost : cost - told) * 100n > cost;

/** Exact until the end, then rounded half up to whole billionths once. */
export function costOf(reading: Pick<Reading, "counters" | "longCacheCreation">, price: ModelPrice): bigint {
  const { input, output, cacheRead, cacheCreation }: Counters = reading.counters;
  const long = reading.longCacheCreation;
  const parts: readonly (readonly [number, number])[] = [
    [input, price.input],
    [output, price.output],
    [cacheRead, price.cacheRead],
    [cacheCreation - long, price.cacheCreation],
    [long, price.longCacheCreation],
  ];
  const whole = parts.reduce((sum, [tokens, dollars]) => sum + BigInt(tokens) * nanosOf(dollars), 0n);
  return (whole + 500_000n) / 1_000_000n;
}

interface KnownPrice {
  readonly price: ModelPrice;
  readonly version: string;
}

/** The price of a model: by its exact name, then by the longest beginning; configured prices before our own. */
export function findPrice(model: string | null, configured: readonly ModelPrice[]): KnownPrice | undefined {
  if (model === null) return undefined;
  const own = matchPrice(model, configured);
  if (own) return { price: own, version: "configured" };
  const published = matchPrice(model, priceTable);
  return published && { price: published, version: priceVersion };
}

function matchPrice(model: string, prices: readonly ModelPrice[]): ModelPrice | undefined {
  const names = namesOf(model);
  const exact = names.flatMap((name) => prices.find((price) => price.model.toLowerCase() === name) ?? []);
  if (exact[0]) return exact[0];
  const fitting = prices.filter(
    (price) => price.model.endsWith("*") && names.some((name) => name.startsWith(beginningOf(price))),
  );
  return fitting.sort((one, other) => other.model.length - one.model.length)[0];
}

const beginningOf = ({ model }: ModelPrice): string => model.slice(0, -1).toLowerCase();

/** A model goes by many names: with its seller before it, with a date or a region's version after it. */
function namesOf(model: string): string[] {
  const full = model.toLowerCase();
  const bare = full.replace(/^.*\//, "").replace(/^(?:[a-z]{2,6}\.)?anthropic\./, "");
  const undated = bare
    .replace(/[:@[].*$/, "")
    .replace(/(?:-v\d+)?$/, "")
    .replace(datePattern, "");
  return [...new Set([full, bare, undated])];
}

const datePattern = /-(?:20\d{6}|20\d\d-\d\d-\d\d|latest)$/;

/** How far the figures of a span can be relied on. */
export const provenanceOf = (span: Pick<Span, "isMismatch" | "costSource">): "measured" | "inferred" | "mismatch" => {
  if (span.isMismatch) return "mismatch";
  return span.costSource === "price_table" ? "measured" : "inferred";
};
