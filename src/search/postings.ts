import { GrowingList } from "./growing-list.ts";

const none = new Uint32Array(0);
const timesBits = 6;
const mostTimes = 2 ** timesBits - 1;

/** For each term the places it occurs in. Most terms occur once, so the first place needs no list of its own. */
export class Postings {
  readonly #first = new GrowingList(1_024);
  readonly #more: (GrowingList | undefined)[] = [];

  add(term: number, place: number, times: number): void {
    const posting = ((place << timesBits) | Math.min(times, mostTimes)) >>> 0;
    while (this.#first.length <= term) this.#first.push(vacant);
    if (this.#first.at(term) === vacant) {
      this.#first.set(term, posting);
      return;
    }
    const list = this.#more[term];
    if (list) list.push(posting);
    else {
      const begun = new GrowingList();
      begun.push(this.#first.at(term));
      begun.push(posting);
      this.#more[term] = begun;
    }
  }

  /** Every place of the term, those that have been given up included. */
  list(term: number): Uint32Array {
    const list = this.#more[term];
    if (list) return list.view();
    if (term >= this.#first.length || this.#first.at(term) === vacant) return none;
    return this.#first.view(term, term + 1);
  }
}

const vacant = 2 ** 32 - 1;

export const placeOf = (posting: number): number => posting >>> timesBits;
export const timesOf = (posting: number): number => posting & mostTimes;
