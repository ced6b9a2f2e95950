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

/**
 * Walks both lists of words once, side by side. A check does this with a hundred pieces of work, so the sums are plain
 * variables, and what a word is called twice is read off once.
 */
export function measureAlikeness(one: Prepared, other: Prepared, vocabulary: WorkVocabulary): Alikeness {
  let [titleDot, titleMine, titleTheirs] = [0, 0, 0];
  let [bodyDot, bodyMine, bodyTheirs] = [0, 0, 0];
  let [wholeDot, wholeMine, wholeTheirs] = [0, 0, 0];
  let [mineFound, mineLength, mineWeight, mineMissing] = [0, 0, 0, 0];
  let [theirsFound, theirsLength, theirsWeight, theirsMissing] = [0, 0, 0, 0];
  let sharedWeight = 0;
  let sharedTelling = 0;
  const mine = one.words;
  const theirs = other.words;
  for (let left = 0, right = 0; left < mine.length || right < theirs.length; ) {
    const mineTerm = left < mine.length ? termOf(mine[left] ?? 0) : Number.POSITIVE_INFINITY;
    const theirsTerm = right < theirs.length ? termOf(theirs[right] ?? 0) : Number.POSITIVE_INFINITY;
    const term = Math.min(mineTerm, theirsTerm);
    const mineWord = mineTerm === term ? (mine[left++] ?? 0) : 0;
    const theirsWord = theirsTerm === term ? (theirs[right++] ?? 0) : 0;
    const weight = vocabulary.weight(term);
    const tells = isTelling(vocabulary.traits(term));
    if (mineWord !== 0) {
      const inTitle = timesInTitle(mineWord);
      titleMine += square(weight * dampen(inTitle));
      bodyMine += square(weight * dampen(timesInBody(mineWord)));
      wholeMine += square(weight * dampen(timesInWhole(mineWord)));
      if (timesInBody(mineWord) > 0) mineLength += 1;
      if (inTitle > 0) {
        mineWeight += weight;
        if (theirsWord !== 0) mineFound += weight;
        else if (tells && weight > mineMissing) mineMissing = weight;
      }
    }
    if (theirsWord !== 0) {
      const inTitle = timesInTitle(theirsWord);
      titleTheirs += square(weight * dampen(inTitle));
      bodyTheirs += square(weight * dampen(timesInBody(theirsWord)));
      wholeTheirs += square(weight * dampen(timesInWhole(theirsWord)));
      if (timesInBody(theirsWord) > 0) theirsLength += 1;
      if (inTitle > 0) {
        theirsWeight += weight;
        if (mineWord !== 0) theirsFound += weight;
        else if (tells && weight > theirsMissing) theirsMissing = weight;
      }
    }
    if (mineWord === 0 || theirsWord === 0) continue;
    titleDot += weight * dampen(timesInTitle(mineWord)) * (weight * dampen(timesInTitle(theirsWord)));
    bodyDot += weight * dampen(timesInBody(mineWord)) * (weight * dampen(timesInBody(theirsWord)));
    wholeDot += weight * dampen(timesInWhole(mineWord)) * (weight * dampen(timesInWhole(theirsWord)));
    sharedWeight += weight;
    if (tells) sharedTelling += 1;
  }
  return {
    title: cosine(titleDot, titleMine, titleTheirs),
    body: cosine(bodyDot, bodyMine, bodyTheirs),
    whole: cosine(wholeDot, wholeMine, wholeTheirs),
    bodyLength: Math.min(mineLength, theirsLength),
    titleWeight: Math.min(mineWeight, theirsWeight),
    covered: (shareOf(mineFound, mineWeight) + shareOf(theirsFound, theirsWeight)) / 2,
    apart: Math.min(mineMissing, theirsMissing),
    sharedWeight,
    sharedTelling,
  };
}

const square = (value: number): number => value * value;

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
