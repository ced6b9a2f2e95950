import { type Background, readBackground } from "./background.ts";
import { GrowingList } from "./growing.ts";
import { traitsOf } from "./traits.ts";

/** With this many pieces of work, their own statistics count as much as the shipped table. */
const halfwayAt = 500;

/**
 * Every term the index has met: its number, in how many pieces of work it occurs and how much it tells. How much it
 * tells comes from the workspace as far as that has enough to say, and from a shipped table otherwise.
 */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #counts = new GrowingList(1_024);
  readonly #traits = new GrowingList(1_024);
  readonly #background: Background = readBackground();
  #shipped = new Float32Array(1_024);
  #logs = Float64Array.of(0);
  #size = 0;
  #trust = 0;
  #most = 1;

  /** How many terms have a number: those below it. */
  get length(): number {
    return this.#terms.length;
  }

  /** Gives a term its number, a new one if need be. */
  number(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#terms.length;
    this.#numbers.set(term, number);
    this.#terms.push(term);
    this.#counts.push(0);
    this.#traits.push(traitsOf(term));
    if (number === this.#shipped.length) this.#shipped = enlarge(this.#shipped);
    this.#shipped[number] = this.#background.weightOf(term);
    return number;
  }

  /** Forgets the terms that came last, those a query alone has brought along. */
  cutTo(length: number): void {
    for (const term of this.#terms.splice(length)) this.#numbers.delete(term);
    this.#counts.cutTo(length);
    this.#traits.cutTo(length);
  }

  term(number: number): string {
    return this.#terms[number] ?? "";
  }

  traits(number: number): number {
    return this.#traits.at(number);
  }

  /** In how many pieces of work the term occurs. */
  count(number: number): number {
    return this.#counts.at(number);
  }

  recount(number: number, by: 1 | -1): void {
    this.#counts.set(number, this.#counts.at(number) + by);
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
    const own = this.#most - (this.#logs[this.#counts.at(number)] ?? 0);
    return this.#trust * own + (1 - this.#trust) * (this.#shipped[number] ?? 0);
  }

  /** The same without the workspace: it never changes, so it can be added up once and kept. */
  shippedWeight(number: number): number {
    return this.#shipped[number] ?? 0;
  }
}

function enlarge(values: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** At n, the logarithm of n + 1. */
const listLogs = (most: number): Float64Array<ArrayBuffer> =>
  Float64Array.from({ length: most + 1 }, (_, count) => Math.log1p(count));
