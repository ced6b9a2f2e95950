import { GrowingList } from "../../search/growing-list.ts";
import { factStride } from "../parsed-file.ts";
import { freezeLists } from "./frozen-lists.ts";
import type { Facts } from "./segment.ts";
import { WordBlob } from "./word-blob.ts";

/** Which values of which facts are true of which chunks. */
export class FactTable {
  readonly #words = new Map<string, number>();
  readonly #entries = new Map<number, number>();
  readonly #lists = new GrowingList(1_024);
  readonly #chunks = new GrowingList(1_024);

  /** The facts of one file, whose chunks begin with this number. */
  add(firstChunk: number, words: readonly string[], facts: Uint32Array): void {
    const numbers = words.map((word) => numberIn(this.#words, word));
    for (let at = 0; at < facts.length; at += 2) {
      const key = facts[at] ?? 0;
      const entry = (numbers[facts[at + 1] ?? 0] ?? 0) * factStride + (key % factStride);
      this.#lists.push(numberIn(this.#entries, entry));
      this.#chunks.push(firstChunk + Math.floor(key / factStride));
    }
  }

  freeze(): Facts {
    const entries = [...this.#entries.keys()];
    const factOf = (entry: number): number => entry % factStride;
    const order = [...entries.keys()].sort((one, other) => {
      const [first = 0, second = 0] = [entries[one], entries[other]];
      return factOf(first) - factOf(second) || first - second;
    });
    const places = new Uint32Array(entries.length);
    for (const [place, entry] of order.entries()) places[entry] = place;
    const sorted = order.map((entry) => entries[entry] ?? 0);
    return {
      words: WordBlob.of([...this.#words.keys()]),
      fact: Uint8Array.from(sorted, factOf),
      word: Uint32Array.from(sorted, (entry) => Math.floor(entry / factStride)),
      lists: freezeLists(entries.length, {
        lists: this.#lists.view().map((entry) => places[entry] ?? 0),
        numbers: this.#chunks.view(),
      }),
    };
  }
}

/** Values with the contents they belong to. */
export class ValueTable {
  readonly #words = new Map<string, number>();
  readonly #lists = new GrowingList();
  readonly #owners = new GrowingList();

  add(owner: number, values: readonly string[]): void {
    for (const value of new Set(values)) {
      this.#lists.push(numberIn(this.#words, value));
      this.#owners.push(owner);
    }
  }

  freeze() {
    const pairs = { lists: this.#lists.view(), numbers: this.#owners.view() };
    return { words: WordBlob.of([...this.#words.keys()]), lists: freezeLists(this.#words.size, pairs) };
  }
}

export function numberIn<Key>(numbers: Map<Key, number>, key: Key): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}
