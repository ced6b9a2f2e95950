import { GrowingFloats } from "../../../search/growing-floats.ts";
import { GrowingList } from "../../../search/growing-list.ts";
import { Vocabulary } from "../../../search/vocabulary.ts";
import { type Background, readBackground } from "./background.ts";
import { traitsOf } from "./traits.ts";

/** With this many pieces of work, their own statistics count as much as the shipped table. */
const halfwayAt = 500;

/**
 * The terms of all work, what each of them is besides a word, and how much it tells. How much it tells comes from the
 * workspace as far as that has enough to say, and from a shipped table otherwise.
 */
export class WorkVocabulary extends Vocabulary {
  readonly #traits = new GrowingList(1_024);
  readonly #shipped = new GrowingFloats();
  readonly #background: Background = readBackground();
  #logs = Float64Array.of(0);
  #size = 0;
  #trust = 0;
  #most = 1;

  override number(term: string): number {
    const before = this.length;
    const number = super.number(term);
    if (number === before) {
      this.#traits.push(traitsOf(term));
      this.#shipped.push(this.#background.weightOf(term));
    }
    return number;
  }

  override cutTo(length: number): void {
    super.cutTo(length);
    this.#traits.cutTo(length);
    this.#shipped.cutTo(length);
  }

  traits(number: number): number {
    return this.#traits.at(number);
  }

  /** How many pieces of work there are altogether. */
  resize(size: number): void {
    this.#size = size;
    this.#trust = size / (size + halfwayAt);
    if (this.#logs.length <= size + 1) this.#logs = listLogs(size * 2 + 1_024);
    this.#most = (this.#logs[size] ?? 0) + 1;
  }

  get size(): number {
    return this.#size;
  }

  /** How much the term tells here: the rarer, the more. */
  weight(number: number): number {
    const own = this.#most - (this.#logs[this.count(number)] ?? 0);
    return this.#trust * own + (1 - this.#trust) * this.#shipped.at(number);
  }

  /** The same without the workspace: it never changes, so it can be added up once and kept. */
  shippedWeight(number: number): number {
    return this.#shipped.at(number);
  }
}

/** At n, the logarithm of n + 1. */
const listLogs = (most: number): Float64Array<ArrayBuffer> =>
  Float64Array.from({ length: most + 1 }, (_, count) => Math.log1p(count));
