import { type Alikeness, measureAlikeness, square, type Weighed } from "./alikeness.ts";
import type { OverlapDoc } from "./doc.ts";
import { hasFrame, layOver } from "./frame.ts";
import type { Prepared } from "./prepared.ts";
import type { WorkVocabulary } from "./work-vocabulary.ts";

/** What is kept of a piece of work besides its words. */
export type Facts = Pick<OverlapDoc, "kind" | "action" | "component" | "repo" | "developerId" | "sessionId" | "at">;

/** One of the two pieces of work that are compared. */
export interface Side {
  readonly facts: Facts;
  readonly prepared: Prepared;
}

/** The one that is compared with many others. */
export interface WeighedSide extends Side {
  readonly weighed: Weighed;
}

/** What the score is computed from and what is worth knowing beside it. A feature without a weight is only recorded. */
export type Features = Readonly<Record<FeatureName, number>>;
export type FeatureName = (typeof featureNames)[number];

export const featureNames = [
  "titleCosine",
  "wholeCosine",
  "bodyCosine",
  "wholeLog",
  "brief",
  "titleWeight",
  "fewOthers",
  "covered",
  "apart",
  "sameFrame",
  "sharedWeight",
  "filesCosine",
  "sameComponent",
  "differentRepo",
  "identicalTitle",
  "sameReference",
  "sameDeveloper",
  "daysBetween",
] as const;

export interface Comparison {
  readonly features: Features;
  readonly alikeness: Alikeness;
}

export function compareSides(one: WeighedSide, other: Side, vocabulary: WorkVocabulary): Comparison {
  const alikeness = measureAlikeness(one.weighed, other.prepared, vocabulary);
  const [a, b] = [one.facts, other.facts];
  const brief = halfBrief / (halfBrief + alikeness.bodyLength);
  const features: Features = {
    titleCosine: round(alikeness.title),
    wholeCosine: round(alikeness.whole),
    bodyCosine: round(alikeness.body),
    wholeLog: round(Math.log(alikeness.whole + leastWhole)),
    brief: round(brief),
    titleWeight: round(Math.log1p(alikeness.titleWeight)),
    fewOthers: round(Math.max(0, Math.log(manyOthers / (leastOthers + vocabulary.size))) * brief),
    covered: round(alikeness.covered),
    apart: round(alikeness.apart * alikeness.title ** 2),
    sameFrame: alikeness.apart > 0 && isFramed(one.prepared.title, other.prepared.title) ? 1 : 0,
    sharedWeight: round(Math.log1p(alikeness.sharedWeight)),
    filesCosine: round(compareFiles(one.prepared.files, other.prepared.files, vocabulary)),
    sameComponent: isSame(a.component, b.component) ? 1 : 0,
    differentRepo: isDifferent(a.repo, b.repo) ? 1 : 0,
    identicalTitle: one.prepared.identity === other.prepared.identity ? 1 : 0,
    sameReference: isSameSet(one.prepared.references, other.prepared.references) ? 1 : 0,
    sameDeveloper: a.developerId !== null && a.developerId === b.developerId ? 1 : 0,
    daysBetween: Math.floor(Math.abs(a.at - b.at) / millisecondsOfDay),
  };
  return { features, alikeness };
}

const isFramed = (one: Uint32Array, other: Uint32Array): boolean => hasFrame(layOver(one, other), one, other);

/** Below this a cosine is noise, and its logarithm must not run away. */
const leastWhole = 0.05;
/** With so much other work the best of it looks alike by chance as often as it ever will. */
const manyOthers = 2_000;
/** Less other work than this makes little difference. */
const leastOthers = 50;
/** With so many different words besides the title a text is half as brief as without any. */
const halfBrief = 10;
const millisecondsOfDay = 86_400_000;

const isSame = (one: string | null, other: string | null): boolean => {
  if (one === null || other === null) return false;
  const [a, b] = [fold(one), fold(other)];
  return a !== "" && a === b;
};

/** Only what both have said can differ. */
export const isDifferent = (one: string | null, other: string | null): boolean => {
  if (one === null || other === null || one === other) return false;
  const [a, b] = [fold(one), fold(other)];
  return a !== "" && b !== "" && a !== b;
};

const fold = (text: string | null): string => (text ?? "").trim().toLowerCase();

/** Sums come out differently in the last digits when words were met in another order; nobody reads those. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Files that everybody touches say little, like words that everybody uses. */
function compareFiles(one: Uint32Array, other: Uint32Array, vocabulary: WorkVocabulary): number {
  if (one.length === 0 || other.length === 0) return 0;
  const sum = (files: Iterable<number>): number => {
    let total = 0;
    for (const file of files) total += square(vocabulary.weight(file));
    return total;
  };
  return sum(listShared(one, other)) / Math.sqrt(sum(one) * sum(other));
}

export function listShared(one: Uint32Array, other: Uint32Array): number[] {
  const known = new Set(other);
  return Array.from(one).filter((item) => known.has(item));
}

const isSameSet = (one: Uint32Array, other: Uint32Array): boolean =>
  one.length > 0 && one.length === other.length && one.every((item, at) => other[at] === item);
