import { GrowingList } from "./growing-list.ts";

/** Every term an index has met: its number, and in how many documents it occurs. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #counts = new GrowingList(1_024);

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
    return number;
  }

  /** Forgets the terms that came last, those a query alone has brought along. */
  cutTo(length: number): void {
    for (const term of this.#terms.splice(length)) this.#numbers.delete(term);
    this.#counts.cutTo(length);
  }

  term(number: number): string {
    return this.#terms[number] ?? "";
  }

  /** In how many documents the term occurs. */
  count(number: number): number {
    return this.#counts.at(number);
  }

  recount(number: number, by: 1 | -1): void {
    this.#counts.set(number, this.#counts.at(number) + by);
  }
}
