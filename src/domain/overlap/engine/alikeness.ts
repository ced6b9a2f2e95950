import { type Prepared, termOf, timesInBody, timesInTitle, timesInWhole } from "./prepared.ts";
import { isTelling } from "./traits.ts";
import type { WorkVocabulary } from "./work-vocabulary.ts";

/** What two pieces of work have in common, word by word. The same whichever of them comes first. */
export interface Alikeness {
  /** Cosines of the titles, of everything else, and of all together with the title counted twice. */
  readonly title: number;
  readonly body: number;
  readonly whole: number;
  /** How many different words one of them has besides its title; the lesser of both. */
  readonly bodyLength: number;
  /** How much the words of a title tell, added up; the lesser of both titles. */
  readonly titleWeight: number;
  /** The share of a title's weight that the other mentions anywhere, on average of both titles. */
  readonly covered: number;
  /** How much the most telling word of a title tells that the other never mentions; the lesser of both titles. */
  readonly apart: number;
  /** How much the shared words tell, added up. */
  readonly sharedWeight: number;
  /** How many different telling words they share. */
  readonly sharedTelling: number;
}

/** One side of many comparisons: how much each of its words tells, and what these add up to, read off once. */
export interface Weighed {
  readonly words: Uint32Array;
  readonly weights: Float64Array;
  /** 1 where the word helps to tell one piece of work from another. */
  readonly tells: Uint8Array;
  readonly titleSquares: number;
  readonly bodySquares: number;
  readonly wholeSquares: number;
  readonly bodyLength: number;
  readonly titleWeight: number;
}

/** Good until the vocabulary changes. */
export function weigh({ words }: Prepared, vocabulary: WorkVocabulary): Weighed {
  const weights = new Float64Array(words.length);
  const tells = new Uint8Array(words.length);
  let [titleSquares, bodySquares, wholeSquares, bodyLength, titleWeight] = [0, 0, 0, 0, 0];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? 0;
    const weight = vocabulary.weight(termOf(word));
    weights[at] = weight;
    tells[at] = isTelling(vocabulary.traits(termOf(word))) ? 1 : 0;
    const inTitle = timesInTitle(word);
    titleSquares += square(weight * dampen(inTitle));
    bodySquares += square(weight * dampen(timesInBody(word)));
    wholeSquares += square(weight * dampen(timesInWhole(word)));
    if (timesInBody(word) > 0) bodyLength += 1;
    if (inTitle > 0) titleWeight += weight;
  }
  return { words, weights, tells, titleSquares, bodySquares, wholeSquares, bodyLength, titleWeight };
}

/**
 * Walks both lists of words once, side by side. A check does this with a hundred pieces of work, so the sums are plain
 * variables, and what a word is called twice is read off once.
 */
export function measureAlikeness(one: Weighed, other: Prepared, vocabulary: WorkVocabulary): Alikeness {
  let [titleDot, bodyDot, wholeDot] = [0, 0, 0];
  let [titleTheirs, bodyTheirs, wholeTheirs] = [0, 0, 0];
  let [mineFound, mineMissing] = [0, 0];
  let [theirsFound, theirsLength, theirsWeight, theirsMissing] = [0, 0, 0, 0];
  let sharedWeight = 0;
  let sharedTelling = 0;
  const mine = one.words;
  const theirs = other.words;
  let left = 0;
  for (let right = 0; right <= theirs.length; right += 1) {
    const theirsWord = theirs[right] ?? 0;
    const term = right < theirs.length ? termOf(theirsWord) : Number.POSITIVE_INFINITY;
    // Words that only this side has.
    for (; left < mine.length && termOf(mine[left] ?? 0) < term; left += 1) {
      if (timesInTitle(mine[left] ?? 0) === 0 || one.tells[left] === 0) continue;
      const weight = one.weights[left] ?? 0;
      if (weight > mineMissing) mineMissing = weight;
    }
    if (right === theirs.length) break;
    const isShared = left < mine.length && termOf(mine[left] ?? 0) === term;
    const weight = isShared ? (one.weights[left] ?? 0) : vocabulary.weight(term);
    const inTitle = timesInTitle(theirsWord);
    const inBody = timesInBody(theirsWord);
    const title = weight * dampen(inTitle);
    const body = weight * dampen(inBody);
    const whole = weight * dampen(timesInWhole(theirsWord));
    titleTheirs += square(title);
    bodyTheirs += square(body);
    wholeTheirs += square(whole);
    if (inBody > 0) theirsLength += 1;
    if (inTitle > 0) theirsWeight += weight;
    if (!isShared) {
      if (inTitle > 0 && weight > theirsMissing && isTelling(vocabulary.traits(term))) theirsMissing = weight;
      continue;
    }
    const mineWord = mine[left] ?? 0;
    if (inTitle > 0) theirsFound += weight;
    if (timesInTitle(mineWord) > 0) mineFound += weight;
    titleDot += weight * dampen(timesInTitle(mineWord)) * title;
    bodyDot += weight * dampen(timesInBody(mineWord)) * body;
    wholeDot += weight * dampen(timesInWhole(mineWord)) * whole;
    sharedWeight += weight;
    if (one.tells[left] === 1) sharedTelling += 1;
    left += 1;
  }
  return {
    title: cosine(titleDot, one.titleSquares, titleTheirs),
    body: cosine(bodyDot, one.bodySquares, bodyTheirs),
    whole: cosine(wholeDot, one.wholeSquares, wholeTheirs),
    bodyLength: Math.min(one.bodyLength, theirsLength),
    titleWeight: Math.min(one.titleWeight, theirsWeight),
    covered: (shareOf(mineFound, one.titleWeight) + shareOf(theirsFound, theirsWeight)) / 2,
    apart: Math.min(mineMissing, theirsMissing),
    sharedWeight,
    sharedTelling,
  };
}

/** The operator for powers takes ten times as long. */
export const square = (value: number): number => value * value;

const cosine = (dot: number, mine: number, theirs: number): number =>
  dot === 0 ? 0 : Math.min(1, dot / Math.sqrt(mine * theirs));

/** How much of one title the other work mentions. */
const shareOf = (found: number, weight: number): number => (weight === 0 ? 0 : found / weight);

/** Every term of either list, with its word in both; 0 where it is missing. */
export function walkTogether(
  one: Uint32Array,
  other: Uint32Array,
  visit: (term: number, left: number, right: number) => void,
): void {
  let left = 0;
  let right = 0;
  while (left < one.length || right < other.length) {
    const first = one[left] ?? 0;
    const second = other[right] ?? 0;
    const isLeft = left < one.length && (right >= other.length || termOf(first) <= termOf(second));
    const isRight = right < other.length && (left >= one.length || termOf(second) <= termOf(first));
    visit(termOf(isLeft ? first : second), isLeft ? first : 0, isRight ? second : 0);
    if (isLeft) left += 1;
    if (isRight) right += 1;
  }
}

/** The tenth mention of a word says little that the second has not said. */
const damped = Float64Array.from({ length: 64 }, (_, times) => (times === 0 ? 0 : 1 + Math.log(times)));
export const dampen = (times: number): number => damped[times] ?? 0;
