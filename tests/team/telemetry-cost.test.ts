import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { homeAt } from "../../src/adapters/home.ts";
import { readSettings } from "../../src/adapters/settings.ts";
import type { ModelPrice } from "../../src/contract/price.ts";
import { canonicalJson, hashJson } from "../../src/domain/canonical-json.ts";
import type { Reading } from "../../src/domain/usage/model.ts";
import { dollarsOf, nanosOf } from "../../src/domain/usage/money-model.ts";
import { priceTable, priceVersion } from "../../src/domain/usage/price-table.ts";
import { costOf, decideCost, findPrice, provenanceOf } from "../../src/domain/usage/rules.ts";

const reading = (
  more: Partial<Reading> = {},
  [input, output, cacheRead, cacheCreation]: readonly number[] = [1_000, 100, 0, 0],
): Reading => ({
  model: "claude-sonnet-4-5",
  counters: {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: cacheRead ?? 0,
    cacheCreation: cacheCreation ?? 0,
    reasoning: 0,
    total: 0,
  },
  longCacheCreation: 0,
  costNanos: null,
  ...more,
});

const decide = (given: Reading, submittedNanos: bigint | null = null, prices: readonly ModelPrice[] = []) =>
  decideCost(given, { submittedNanos, prices });

describe("which figure is kept", () => {
  test("[US20] a known model costs what the table says, whatever the report says", () => {
    // 1,000 × $3 and 100 × $15 for a million each.
    expect(decide(reading({ costNanos: 99n }))).toEqual({
      costNanos: 4_500_000n,
      costSource: "price_table",
      submittedNanos: 99n,
      isMismatch: true,
      priceVersion,
    });
  });

  test("[US20] reads from a cache, writes to it and writes for an hour have prices of their own", () => {
    const given = reading({ longCacheCreation: 400 }, [0, 0, 1_000, 1_000]);
    // 1,000 × $0.30, 600 × $3.75 and 400 × $6.
    expect(decide(given).costNanos).toBe(300_000n + 2_250_000n + 2_400_000n);
  });

  test.each([
    { what: "the report's figure", costNanos: 5n, submitted: null, kept: [5n, "provider", false] },
    { what: "the submitted figure", costNanos: null, submitted: 7n, kept: [7n, "provider", false] },
    {
      what: "the report's figure before the submitted one",
      costNanos: 500n,
      submitted: 600n,
      kept: [500n, "provider", true],
    },
    { what: "nothing", costNanos: null, submitted: null, kept: [null, "unknown", false] },
  ])("[US21] for an unknown model $what is kept", ({ costNanos, submitted, kept }) => {
    const decision = decide(reading({ model: "nobody-knows-1", costNanos }), submitted);
    expect([decision.costNanos, decision.costSource, decision.isMismatch]).toEqual(kept);
    expect(decision.priceVersion).toBeNull();
  });

  test.each([
    { submitted: 4_545_000n, isMismatch: false },
    { submitted: 4_545_001n, isMismatch: true },
    { submitted: 4_455_000n, isMismatch: false },
    { submitted: 4_454_999n, isMismatch: true },
    { submitted: 0n, isMismatch: true },
    { submitted: 4_500_000n, isMismatch: false },
  ])("[US22] $submitted against 4,500,000 is a mismatch: $isMismatch", ({ submitted, isMismatch }) => {
    expect(decide(reading(), submitted).isMismatch).toBe(isMismatch);
  });

  test("[US22] nothing that cost nothing is right, something is not", () => {
    const free = reading({}, [0, 0, 0, 0]);
    expect([decide(free, 0n).isMismatch, decide(free, 1n).isMismatch]).toEqual([false, true]);
  });

  test("[US33] a span is mismatch, measured or inferred", () => {
    expect(provenanceOf({ isMismatch: true, costSource: "price_table" })).toBe("mismatch");
    expect(provenanceOf({ isMismatch: false, costSource: "price_table" })).toBe("measured");
    expect(provenanceOf({ isMismatch: false, costSource: "provider" })).toBe("inferred");
    expect(provenanceOf({ isMismatch: false, costSource: "unknown" })).toBe("inferred");
  });
});

const price = (model: string, input: number): ModelPrice => ({
  model,
  input,
  output: input,
  cacheRead: input,
  cacheCreation: input,
  longCacheCreation: input,
});

describe("which price counts", () => {
  test.each([
    ["claude-sonnet-4-5", 3],
    ["claude-sonnet-4-5-20250929", 3],
    ["Claude-Sonnet-4-5", 3],
    ["claude-sonnet-4-5[1m]", 3],
    ["anthropic/claude-opus-4-1", 15],
    ["us.anthropic.claude-haiku-4-5-20251001-v1:0", 1],
    ["claude-haiku-4-5@20251001", 1],
    ["claude-3-5-haiku-latest", 0.8],
    ["gpt-5-2025-08-07", 1.25],
    ["openai/gpt-4o-mini", 0.15],
  ])("[US24] %s costs $%s for a million input tokens", (model, input) => {
    expect(findPrice(model, [])).toMatchObject({ price: { input }, version: priceVersion });
  });

  test.each([
    "gpt-5.9",
    "gpt-5-ultra",
    "claude-sonnet-9",
    "sonnet",
    "claude",
    "gpt-4o-mini-tts",
    "",
  ])("[US24] %j is not taken for a model it resembles", (model) => expect(findPrice(model, [])).toBeUndefined());

  test("[US24] of several beginnings the longest counts, and the exact name before them", () => {
    const prices = [price("acme-*", 1), price("acme-large-*", 2), price("acme-large-3", 3)];
    const inputs = ["acme-small", "acme-large-2", "acme-large-3"].map((name) => findPrice(name, prices)?.price.input);
    expect(inputs).toEqual([1, 2, 3]);
  });

  test("[US25] configured prices go before the published ones", () => {
    expect(findPrice("gpt-5", [price("gpt-*", 9)])).toMatchObject({ price: { input: 9 }, version: "configured" });
  });

  test("[US25] config.json names prices, and one that is no price stops the start", () => {
    const dir = mkdtempSync(join(tmpdir(), "crewdeck-prices-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const home = homeAt(dir);
    const configure = (prices: unknown) => writeFileSync(home.configFile, JSON.stringify({ prices }));
    expect(readSettings(home, {}).prices).toEqual([]);
    configure({ "in-house-*": { input: 2, output: 4 }, "gpt-5": { input: 1, output: 8, cacheRead: 0.1 } });
    expect(readSettings(home, {}).prices).toEqual([
      { model: "in-house-*", input: 2, output: 4, cacheRead: 2, cacheCreation: 2, longCacheCreation: 2 },
      { model: "gpt-5", input: 1, output: 8, cacheRead: 0.1, cacheCreation: 1, longCacheCreation: 1 },
    ]);
    for (const wrong of [{ a: { input: -1, output: 1 } }, { a: { input: 1 } }, { a: { input: "1", output: 1 } }, []]) {
      configure(wrong);
      expect(() => readSettings(home, {})).toThrow("config.json");
    }
  });

  test("[US24] no model is priced twice, and nothing is free", () => {
    const names = priceTable.map(({ model }) => model);
    expect(new Set(names).size).toBe(names.length);
    for (const { model: _, ...dollars } of priceTable)
      for (const one of Object.values(dollars)) expect(one).toBeGreaterThan(0);
  });
});

const tokens = fc.nat({ max: 1_000_000_000 });
const counts = fc.tuple(tokens, tokens, tokens, tokens);
const somePrice = fc
  .array(fc.nat({ max: 1_000_000 }), { minLength: 5, maxLength: 5 })
  .map(([a = 0, b = 0, c = 0, d = 0, e = 0]): ModelPrice => {
    const dollars = (value: number) => value / 1_000;
    return {
      model: "m",
      input: dollars(a),
      output: dollars(b),
      cacheRead: dollars(c),
      cacheCreation: dollars(d),
      longCacheCreation: dollars(e),
    };
  });

describe("money", () => {
  test("[US23] more tokens never cost less, and a cost is exact to the billionth", () => {
    fc.assert(
      fc.property(counts, counts, somePrice, (some, more, known) => {
        const sum = some.map((value, place) => Math.min(1_000_000_000, value + (more[place] ?? 0)));
        const [less, greater] = [costOf(reading({}, some), known), costOf(reading({}, sum), known)];
        expect(greater >= less).toBe(true);
        const [input, output, cacheRead, cacheCreation] = some;
        const exact =
          input * known.input +
          output * known.output +
          cacheRead * known.cacheRead +
          cacheCreation * known.cacheCreation;
        // Dollars for a million tokens times tokens are millionths of a dollar.
        expect(Math.abs(Number(less) - exact * 1_000)).toBeLessThanOrEqual(1 + exact * 1e-10);
        expect(Number.isSafeInteger(Number(less))).toBe(true);
      }),
    );
  });

  test("[US23] dollars and billionths turn into each other", () => {
    fc.assert(fc.property(fc.nat({ max: 2 ** 31 - 1 }), (nanos) => nanosOf(dollarsOf(nanos)) === BigInt(nanos)));
    expect([0, 0.1, 0.3, 1_000_000].map(nanosOf)).toEqual([0n, 100_000_000n, 300_000_000n, 1_000_000_000_000_000n]);
  });
});

describe("hashes", () => {
  test("[US7] the order of keys does not count, everything else does", () => {
    expect(hashJson({ a: 1, b: { c: [1, 2], d: null } })).toBe(hashJson({ b: { d: null, c: [1, 2] }, a: 1 }));
    const different = [
      { a: 1 },
      { a: "1" },
      { a: [1] },
      { a: { "0": 1 } },
      { b: 1 },
      { a: 1, b: null },
      { a: [1, 2] },
      { a: [2, 1] },
    ];
    expect(new Set(different.map(hashJson)).size).toBe(different.length);
    expect(hashJson({})).toMatch(/^[0-9a-f]{64}$/);
  });

  test("[US7] canonical JSON says the same as JSON", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const canonical = canonicalJson(JSON.parse(text));
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(JSON.parse(text))));
      }),
    );
  });
});
