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

/** Walks both lists of words once, side by side. */
export function measureAlikeness(one: Prepared, other: Prepared, vocabulary: WorkVocabulary): Alikeness {
  const title = new Cosine();
  const body = new Cosine();
  const whole = new Cosine();
  const mine = new Coverage();
  const theirs = new Coverage();
  let sharedWeight = 0;
  let sharedTelling = 0;
  walkTogether(one.words, other.words, (term, left, right) => {
    const weight = vocabulary.weight(term);
    title.add(weight, timesInTitle(left), timesInTitle(right));
    body.add(weight, timesInBody(left), timesInBody(right));
    whole.add(weight, timesInWhole(left), timesInWhole(right));
    const tells = isTelling(vocabulary.traits(term));
    mine.add(weight, left, right, tells);
    theirs.add(weight, right, left, tells);
    if (left === 0 || right === 0) return;
    sharedWeight += weight;
    if (tells) sharedTelling += 1;
  });
  return {
    title: title.value,
    body: body.value,
    whole: whole.value,
    bodyLength: Math.min(mine.bodyLength, theirs.bodyLength),
    titleWeight: Math.min(mine.titleWeight, theirs.titleWeight),
    covered: (mine.share + theirs.share) / 2,
    apart: Math.min(mine.missing, theirs.missing),
    sharedWeight,
    sharedTelling,
  };
}

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

class Cosine {
  #dot = 0;
  #left = 0;
  #right = 0;

  add(weight: number, left: number, right: number): void {
    const mine = weight * dampen(left);
    const theirs = weight * dampen(right);
    this.#dot += mine * theirs;
    this.#left += mine * mine;
    this.#right += theirs * theirs;
  }

  get value(): number {
    return this.#dot === 0 ? 0 : Math.min(1, this.#dot / Math.sqrt(this.#left * this.#right));
  }
}

/** How much of one title the other work mentions. */
class Coverage {
  #found = 0;
  bodyLength = 0;
  titleWeight = 0;
  /** The weight of the most telling word that the other lacks. */
  missing = 0;

  add(weight: number, word: number, found: number, tells: boolean): void {
    if (timesInBody(word) > 0) this.bodyLength += 1;
    if (timesInTitle(word) === 0) return;
    this.titleWeight += weight;
    if (found !== 0) this.#found += weight;
    else if (tells && weight > this.missing) this.missing = weight;
  }

  get share(): number {
    return this.titleWeight === 0 ? 0 : this.#found / this.titleWeight;
  }
}

/** The tenth mention of a word says little that the second has not said. */
const damped = Float64Array.from({ length: 64 }, (_, times) => (times === 0 ? 0 : 1 + Math.log(times)));
export const dampen = (times: number): number => damped[times] ?? 0;
