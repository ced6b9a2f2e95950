import { type FeatureName, type Features, featureNames } from "./features.ts";
import shipped from "./weights.generated.json" with { type: "json" };

/** The published model: what each feature adds, and how its sum becomes a probability. */
export interface Weights {
  readonly version: string;
  readonly intercept: number;
  readonly trained: Partial<Readonly<Record<FeatureName, number>>>;
  /** Weighed by hand: features that no public data has, and how little other work there is. */
  readonly set: Partial<Readonly<Record<FeatureName, number>>>;
  readonly calibration: { readonly slope: number; readonly intercept: number };
  /** The score from which about a tenth of clean checks ask. */
  readonly escalateThreshold: number;
}

export const shippedWeights: Weights = shipped;

/** Same title: certain but for the few that mean different things by it. Same ticket: nearly as certain. */
const leastOfSameTitle = 0.95;
const leastOfSameReference = 0.9;

/** The probability that two pieces of work are the same. */
export function scoreFeatures(features: Features, weights: Weights, isSameTicket: boolean): number {
  let sum = weights.intercept;
  for (const { name, factor } of factorsOf(weights)) sum += factor * features[name];
  const { slope, intercept } = weights.calibration;
  const probability = 1 / (1 + Math.exp(-(slope * sum + intercept)));
  const least = features.identicalTitle ? leastOfSameTitle : isSameTicket ? leastOfSameReference : 0;
  return Math.round(Math.max(probability, least) * 1e4) / 1e4;
}

interface Factor {
  readonly name: FeatureName;
  readonly factor: number;
}

const factors = new WeakMap<Weights, readonly Factor[]>();

/** The features that count at all. */
function factorsOf(weights: Weights): readonly Factor[] {
  const known = factors.get(weights);
  if (known) return known;
  const listed = featureNames
    .map((name) => ({ name, factor: weights.trained[name] ?? weights.set[name] ?? 0 }))
    .filter(({ factor }) => factor !== 0);
  factors.set(weights, listed);
  return listed;
}
