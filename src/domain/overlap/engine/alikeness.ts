import { type Prepared, termOf, timesInBody, timesInTitle } from "./prepared.ts";

import type { Vocabulary } from "./vocabulary.ts";

/** What two pieces of work have in common word by word. The same whichever comes first, except where sides are named. */
export interface Alikeness {
  readonly title: number;
  readonly body: number;
  readonly whole: number;
}

/** Walks both lists of words once, side by side. */
export function measureAlikeness(one: Prepared, other: Prepared, vocabulary: Vocabulary): Alikeness {
  const a = one.words;
  const b = other.words;
  const title = new Cosine();
  const body = new Cosine();
  const whole = new Cosine();
  let left = 0;
  let right = 0;
  while (left < a.length || right < b.length) {
    const first = a[left] ?? noWord;
    const second = b[right] ?? noWord;
    const term = Math.min(termOf(first), termOf(second));
    const mine = termOf(first) === term && left < a.length ? first : 0;
    const theirs = termOf(second) === term && right < b.length ? second : 0;
    if (mine) left += 1;
    if (theirs) right += 1;
    const weight = vocabulary.weight(term);
    title.add(weight, timesInTitle(mine), timesInTitle(theirs));
    body.add(weight, timesInBody(mine), timesInBody(theirs));
    whole.add(weight, timesInWhole(mine), timesInWhole(theirs));
  }
  return { title: title.value, body: body.value, whole: whole.value };
}

const noWord = 2 ** 32 - 1;
const timesInWhole = (word: number): number => 2 * timesInTitle(word) + timesInBody(word);

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

/** The tenth mention of a word says little that the second has not said. */
const damped = Float64Array.from({ length: 64 }, (_, times) => (times === 0 ? 0 : 1 + Math.log(times)));
const dampen = (times: number): number => damped[times] ?? 0;
