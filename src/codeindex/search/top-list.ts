import type { Entry } from "../tree/entry.ts";
import type { Scope } from "./scope.ts";

/** A chunk under one of its paths, with what it is worth. */
export interface Ranked {
  readonly scope: Scope;
  readonly chunk: number;
  readonly entry: Entry;
  readonly score: number;
}

/** The best of many, without sorting them all. */
export class TopList {
  readonly #most: number;
  #items: Ranked[] = [];
  #least = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  /** Asked first, so that nothing is made of the many that are worth too little. */
  mayTake(score: number): boolean {
    return score >= this.#least;
  }

  add(item: Ranked): void {
    this.#items.push(item);
    if (this.#items.length >= this.#most * 4 + 64) this.#cut();
  }

  items(): readonly Ranked[] {
    this.#cut();
    return this.#items;
  }

  #cut(): void {
    this.#items = this.#items.sort(compare).slice(0, this.#most);
    if (this.#items.length === this.#most) this.#least = this.#items.at(-1)?.score ?? this.#least;
  }
}

function compare(one: Ranked, other: Ranked): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.entry.path !== other.entry.path) return one.entry.path < other.entry.path ? -1 : 1;
  return startOf(one) - startOf(other);
}

const startOf = ({ scope, chunk }: Ranked): number => scope.segment.chunks.start[chunk] ?? 0;
