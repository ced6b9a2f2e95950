import { expect, test } from "vitest";
import { OverlapIndex } from "../../../src/domain/overlap/engine/overlap-index.ts";
import { shippedWeights } from "../../../src/domain/overlap/engine/weights.ts";
import { VectorShelf } from "../../../src/engine/keepers/vector-shelf.ts";
import { until } from "../../../src/testing/waiting.ts";
import { identical, reworded, traps } from "../engine/fixture.ts";

const pairs = [...identical, ...reworded, ...traps];
const weight = shippedWeights.set.vectorCosine ?? 0;

test("[VE3] without vectors every match is what it would be if they had no weight", () => {
  const unweighted = { ...shippedWeights, set: { ...shippedWeights.set, vectorCosine: 0 } };
  const [index, plain] = [new OverlapIndex(), new OverlapIndex({ weights: unweighted })];
  for (const { asked, existing } of pairs) {
    expect(index.score(asked, existing)).toEqual(plain.score(asked, existing));
    expect(index.score(asked, existing, { vectorCosine: -0.4 })).toEqual(index.score(asked, existing));
  }
});

test("[VE4] the most alike vectors raise a score by their weight and free nothing", () => {
  const index = new OverlapIndex();
  const raise = weight * shippedWeights.calibration.slope;
  for (const { asked, existing } of pairs) {
    const [without, with_] = [index.score(asked, existing), index.score(asked, existing, { vectorCosine: 1 })];
    expect(with_.suppressedBy).toBe(without.suppressedBy);
    expect(with_.escalates && with_.suppressedBy !== null).toBe(false);
    expect(with_.score).toBeGreaterThanOrEqual(without.score);
    expect(with_.score).toBeLessThanOrEqual(raised(without.score, raise) + 1e-4);
    expect(index.score(existing, asked, { vectorCosine: 1 }).score).toBe(with_.score);
  }
  const [{ asked, existing }] = reworded as [(typeof reworded)[number]];
  expect(index.score(asked, existing, { vectorCosine: 0.9 }).score).toBeGreaterThan(index.score(asked, existing).score);
});

test("[VE9] the newest titles go first, and the oldest of too many are never asked about", async () => {
  const asked: string[] = [];
  const shelf = new VectorShelf({ version: "any", embed: answerAtOnce(asked), close: async () => undefined });
  for (let at = 0; at < 10_050; at += 1) shelf.want(`title ${at}`);
  await until(() => asked.length >= 10_000);
  expect(asked.slice(0, 8)).toContain("title 10049");
  expect(asked).toHaveLength(10_000);
  expect(asked).not.toContain("title 49");
});

test("[VE9] of too many vectors the oldest are dropped", async () => {
  const asked: string[] = [];
  const shelf = new VectorShelf({ version: "any", embed: answerAtOnce(asked), close: async () => undefined });
  const wantAll = async (from: number, to: number) => {
    for (let at = from; at < to; at += 1) shelf.want(`title ${at}`);
    await until(() => asked.length >= to);
  };
  for (let at = 0; at < 50_000; at += 10_000) await wantAll(at, at + 10_000);
  const [oldest = ""] = asked;
  expect(shelf.compare(oldest, "title 45000")).toBeCloseTo(1);
  await wantAll(50_000, 50_008);
  await until(() => shelf.compare("title 50000", "title 45000") > 0);
  expect(shelf.compare(oldest, "title 45000")).toBe(0);
});

test("[VE3] vectors that are missing, of another length or without direction count as none", async () => {
  const vectors = [Float32Array.of(3, 4), Float32Array.of(6, 8), Float32Array.of(1), Float32Array.of(0, 0)];
  const shelf = new VectorShelf({ version: "any", embed: async () => vectors, close: async () => undefined });
  for (const title of ["one", "same", "shorter", "nowhere", "missing"]) shelf.want(title);
  await until(() => shelf.versions.length > 0);
  const cosines = ["same", "shorter", "nowhere", "missing", "unknown"].map((title) => shelf.compare("one", title));
  expect(cosines).toEqual([expect.closeTo(1), 0, 0, 0, 0]);
});

const raised = (score: number, by: number): number => {
  const odds = (score / (1 - score)) * Math.exp(by);
  return odds / (1 + odds);
};

const answerAtOnce = (asked: string[]) => async (texts: readonly string[]) => {
  asked.push(...texts);
  return texts.map(() => Float32Array.of(1, 1));
};
