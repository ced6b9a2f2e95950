import type { ModelPrice } from "../../contract/price.ts";

/**
 * What providers publish for their models, in dollars for a million tokens, without batch, priority or long-context
 * rates. A span keeps the version it was priced with, so a new table never changes an old cost.
 */
export const priceVersion = "2026-11-15";

/** Providers that sell a read from the cache for a tenth and a write to it for a quarter more, twice the price for an hour. */
const claude = (models: readonly string[], input: number, output: number): ModelPrice[] =>
  models.map((model) => ({
    model,
    input,
    output,
    cacheRead: input / 10,
    cacheCreation: input * 1.25,
    longCacheCreation: input * 2,
  }));

/** Providers that only sell reads from the cache for less. */
const priced = (models: readonly string[], input: number, output: number, cacheRead: number): ModelPrice[] =>
  models.map((model) => ({ model, input, output, cacheRead, cacheCreation: input, longCacheCreation: input }));

/** A name that ends in `*` stands for all that begin so; of several that fit the longest counts. */
export const priceTable: readonly ModelPrice[] = [
  ...claude(["claude-opus-4-5", "claude-opus-4-6"], 5, 25),
  ...claude(["claude-opus-4", "claude-opus-4-0", "claude-opus-4-1", "claude-3-opus"], 15, 75),
  ...claude(["claude-sonnet-4", "claude-sonnet-4-0", "claude-sonnet-4-5", "claude-sonnet-4-6"], 3, 15),
  ...claude(["claude-3-7-sonnet", "claude-3-5-sonnet"], 3, 15),
  ...claude(["claude-haiku-4-5"], 1, 5),
  ...claude(["claude-3-5-haiku"], 0.8, 4),
  { model: "claude-3-haiku", input: 0.25, output: 1.25, cacheRead: 0.03, cacheCreation: 0.3, longCacheCreation: 0.5 },
  ...priced(["gpt-5", "gpt-5-chat", "gpt-5-codex", "gpt-5.1", "gpt-5.1-codex", "gpt-5.1-codex-max"], 1.25, 10, 0.125),
  ...priced(["gpt-5.2", "gpt-5.2-codex"], 1.75, 14, 0.175),
  ...priced(["gpt-5-mini", "gpt-5.1-codex-mini"], 0.25, 2, 0.025),
  ...priced(["gpt-5-nano"], 0.05, 0.4, 0.005),
  ...priced(["gpt-5-pro"], 15, 120, 15),
  ...priced(["gpt-4.1"], 2, 8, 0.5),
  ...priced(["gpt-4.1-mini"], 0.4, 1.6, 0.1),
  ...priced(["gpt-4.1-nano"], 0.1, 0.4, 0.025),
  ...priced(["gpt-4o"], 2.5, 10, 1.25),
  ...priced(["gpt-4o-mini"], 0.15, 0.6, 0.075),
  ...priced(["o1"], 15, 60, 7.5),
  ...priced(["o3"], 2, 8, 0.5),
  ...priced(["o3-mini"], 1.1, 4.4, 0.55),
  ...priced(["o4-mini"], 1.1, 4.4, 0.275),
  ...priced(["codex-mini"], 1.5, 6, 0.375),
  ...priced(["gemini-2.5-pro"], 1.25, 10, 0.125),
  ...priced(["gemini-2.5-flash"], 0.3, 2.5, 0.03),
  ...priced(["gemini-2.5-flash-lite"], 0.1, 0.4, 0.01),
];
