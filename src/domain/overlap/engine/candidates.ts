import { placeOf, timesOf } from "../../../search/postings.ts";
import { dampen, square } from "./alikeness.ts";
import type { Inventory } from "./inventory.ts";
import { type Prepared, termOf, timesInWhole } from "./prepared.ts";

/** So many places of words are looked at for one check, the most telling words first. */
const mostPostings = 40_000;
/** So many of the most alike are compared word by word. */
const mostCompared = 50;
/** So many more for having the same title, naming the same ticket or touching the same rare file. */
const mostLinked = 50;

/** Finds the work that is worth comparing. Keeps its sums between checks, so that a check need not clear them all. */
export class CandidateFinder {
  #sums = new Float32Array(1_024);
  #touched = new Uint32Array(1_024);

  /** The places of the most alike work, and of what has a title, a ticket or a rare file in common. */
  find(query: Prepared, inventory: Inventory, isWanted: (place: number) => boolean): Set<number> {
    const linked = listLinked(query, inventory, isWanted);
    return new Set([...linked, ...this.#listAlike(query, inventory, isWanted)]);
  }

  /**
   * Words so common that they would break the budget are left out as a whole: where a list of places were cut would
   * depend on the order in which work was put in.
   */
  #listAlike(query: Prepared, inventory: Inventory, isWanted: (place: number) => boolean): number[] {
    if (this.#sums.length < inventory.places) this.#makeRoom(inventory.places * 2);
    const sums = this.#sums;
    const touched = this.#touched;
    let size = 0;
    let budget = mostPostings;
    for (const { term, weight } of rankTerms(query, inventory)) {
      const count = inventory.vocabulary.count(term);
      if (count === 0 || count > budget) continue;
      budget -= count;
      const postings = inventory.postings.list(term);
      for (let at = 0; at < postings.length; at += 1) {
        const posting = postings[at] ?? 0;
        const place = placeOf(posting);
        const sum = sums[place] ?? 0;
        if (sum === 0) touched[size++] = place;
        sums[place] = sum + weight * dampen(timesOf(posting));
      }
    }
    const best = new Best(mostCompared, inventory);
    const { norms } = inventory;
    for (let at = 0; at < size; at += 1) {
      const place = touched[at] ?? 0;
      const value = (sums[place] ?? 0) / (norms[place] ?? 1);
      sums[place] = 0;
      if (best.canEnter(value) && isWanted(place)) best.enter(place, value);
    }
    return best.list();
  }

  #makeRoom(places: number): void {
    this.#sums = new Float32Array(places);
    this.#touched = new Uint32Array(places);
  }
}

/** In an order that the words alone decide, so that sums come out the same in every index. */
function rankTerms(query: Prepared, { vocabulary }: Inventory): { term: number; weight: number }[] {
  const ranked = Array.from(query.words, (word) => {
    const term = termOf(word);
    return { term, weight: dampen(timesInWhole(word)) * square(vocabulary.weight(term)) };
  });
  return ranked.sort((a, b) => b.weight - a.weight || (vocabulary.term(a.term) < vocabulary.term(b.term) ? -1 : 1));
}

/** Lists that are longer than this are no link: a file that everybody touches, a title that everybody uses. */
const longestLink = 1_000;

function listLinked(query: Prepared, inventory: Inventory, isWanted: (place: number) => boolean): number[] {
  const linked: number[] = [];
  for (const term of [query.identity, ...query.references, ...query.files]) {
    if (inventory.vocabulary.count(term) > longestLink) continue;
    const places = Array.from(inventory.postings.list(term), placeOf).filter(isWanted);
    linked.push(...places.sort((a, b) => compareWork(a, b, inventory)).slice(0, mostLinked - linked.length));
    if (linked.length >= mostLinked) break;
  }
  return linked;
}

/** Of equals the later changed comes first, then the id decides. */
function compareWork(one: number, other: number, inventory: Inventory): number {
  const [a, b] = [inventory.known(one), inventory.known(other)];
  if (!a || !b) return 0;
  return b.at - a.at || (a.id < b.id ? -1 : 1);
}

/** The best so many of any number, without sorting all of them. */
class Best {
  readonly #most: number;
  readonly #inventory: Inventory;
  #entries: { readonly place: number; readonly value: number }[] = [];
  #least = 0;

  constructor(most: number, inventory: Inventory) {
    this.#most = most;
    this.#inventory = inventory;
  }

  canEnter(value: number): boolean {
    return value >= this.#least;
  }

  enter(place: number, value: number): void {
    this.#entries.push({ place, value });
    if (this.#entries.length >= this.#most * 4) this.#settle();
  }

  list(): number[] {
    this.#settle();
    return this.#entries.map(({ place }) => place);
  }

  #settle(): void {
    this.#entries.sort((a, b) => b.value - a.value || compareWork(a.place, b.place, this.#inventory));
    this.#entries.length = Math.min(this.#entries.length, this.#most);
    if (this.#entries.length === this.#most) this.#least = this.#entries.at(-1)?.value ?? 0;
  }
}
