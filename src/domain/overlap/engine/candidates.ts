import { type Postings, placeOf, timesOf } from "./postings.ts";
import { type Prepared, termOf, timesInBody, timesInTitle } from "./prepared.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** So many places of words are looked at for one check, the most telling words first. */
const mostPostings = 60_000;

export interface Found {
  readonly place: number;
  readonly value: number;
}

/** Adds up, for every piece of work that shares a word with the query, how much the shared words tell. */
export class CandidateFinder {
  #sums = new Float32Array(1_024);

  /**
   * Words so common that they would break the budget are left out as a whole: where a list of places is cut must not
   * depend on the order in which work was put in.
   */
  find(query: Prepared, { postings, vocabulary, norms, places }: Grounds): Found[] {
    if (this.#sums.length < places) this.#sums = new Float32Array(places * 2);
    const touched: number[] = [];
    let budget = mostPostings;
    for (const { term, weight } of rankTerms(query, vocabulary)) {
      const count = vocabulary.count(term);
      if (count === 0 || count > budget) continue;
      budget -= count;
      for (const posting of postings.list(term)) {
        const place = placeOf(posting);
        if (this.#sums[place] === 0) touched.push(place);
        this.#sums[place] = (this.#sums[place] ?? 0) + weight * (1 + Math.log(timesOf(posting)));
      }
    }
    return touched.map((place) => {
      const value = (this.#sums[place] ?? 0) / (norms[place] || 1);
      this.#sums[place] = 0;
      return { place, value };
    });
  }
}

/** What candidates are looked for in. */
export interface Grounds {
  readonly postings: Postings;
  readonly vocabulary: Vocabulary;
  /** By place, the length of its vector. */
  readonly norms: Float32Array;
  readonly places: number;
}

/** In an order that the words alone decide, so that sums come out the same in every index. */
function rankTerms(query: Prepared, vocabulary: Vocabulary): { term: number; weight: number }[] {
  const ranked = Array.from(query.words, (word) => {
    const term = termOf(word);
    const times = 1 + Math.log(2 * timesInTitle(word) + timesInBody(word));
    return { term, weight: times * vocabulary.weight(term) ** 2 };
  });
  return ranked.sort((a, b) => b.weight - a.weight || (vocabulary.term(a.term) < vocabulary.term(b.term) ? -1 : 1));
}
