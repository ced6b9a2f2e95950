import { GrowingList } from "../../search/growing-list.ts";
import { foldByte } from "../query/fold.ts";
import { eachIn, type FrozenLists, freezeLists } from "./frozen-lists.ts";

const wordsOfBits = 2 ** 24 / 32;

/** Three bytes each, ascending, with what they are in. */
export interface Trigrams {
  readonly trigrams: Uint32Array;
  readonly lists: FrozenLists;
}

/** Which three bytes in a row occur in which contents, ASCII letters as small ones. */
export class TrigramTable {
  readonly #seen = new Uint32Array(wordsOfBits);
  readonly #here = new Uint32Array(wordsOfBits);
  readonly #trigrams = new GrowingList(1_024);
  readonly #contents = new GrowingList(1_024);

  /** Contents come in ascending order. */
  add(content: number, bytes: Uint8Array): void {
    const from = this.#trigrams.length;
    let trigram = ((foldByte[bytes[0] ?? 0] ?? 0) << 8) | (foldByte[bytes[1] ?? 0] ?? 0);
    for (let at = 2; at < bytes.length; at += 1) {
      trigram = ((trigram << 8) | (foldByte[bytes[at] ?? 0] ?? 0)) & 0xffffff;
      const word = trigram >>> 5;
      const bit = 1 << (trigram & 31);
      if (((this.#here[word] ?? 0) & bit) !== 0) continue;
      this.#here[word] = (this.#here[word] ?? 0) | bit;
      this.#trigrams.push(trigram);
      this.#contents.push(content);
    }
    for (const met of this.#trigrams.view(from)) {
      const word = met >>> 5;
      this.#here[word] = 0;
      this.#seen[word] = (this.#seen[word] ?? 0) | (1 << (met & 31));
    }
  }

  freeze(): Trigrams {
    const { before, all } = this.#count();
    const lists = new Uint32Array(this.#trigrams.length);
    for (let pair = 0; pair < lists.length; pair += 1) {
      const trigram = this.#trigrams.at(pair);
      const word = trigram >>> 5;
      const below = (this.#seen[word] ?? 0) & ((1 << (trigram & 31)) - 1);
      lists[pair] = (before[word] ?? 0) + countBits(below);
    }
    return { trigrams: all, lists: freezeLists(all.length, { lists, numbers: this.#contents.view() }) };
  }

  /** Every trigram in order, and for each word of bits how many come before it. */
  #count(): { readonly before: Uint32Array; readonly all: Uint32Array } {
    const before = new Uint32Array(wordsOfBits);
    let count = 0;
    for (let word = 0; word < wordsOfBits; word += 1) {
      before[word] = count;
      const bits = this.#seen[word] ?? 0;
      if (bits !== 0) count += countBits(bits);
    }
    const all = new Uint32Array(count);
    let at = 0;
    for (let word = 0; word < wordsOfBits; word += 1) {
      for (let bits = this.#seen[word] ?? 0; bits !== 0; bits &= bits - 1) {
        all[at++] = word * 32 + (31 - Math.clz32(bits & -bits));
      }
    }
    return { before, all };
  }
}

/** The trigrams that any text with this literal has. Only ASCII: other letters may be written large or small. */
export function trigramsOf(literal: string): number[] {
  const found = new Set<number>();
  for (let at = 0; at + 2 < literal.length; at += 1) {
    const codes = [literal.charCodeAt(at), literal.charCodeAt(at + 1), literal.charCodeAt(at + 2)];
    if (codes.some((code) => code >= 128)) continue;
    const [first = 0, second = 0, third = 0] = codes.map((code) => foldByte[code] ?? 0);
    found.add((first << 16) | (second << 8) | third);
  }
  return [...found];
}

/** Of these numbers, which ascend, those that have every one of the trigrams. */
export function keepWithTrigrams(table: Trigrams, numbers: readonly number[], wanted: readonly number[]) {
  const lists = listsOf(table, wanted);
  return lists === undefined ? [] : keepInLists(table, numbers, lists);
}

/**
 * The numbers that have every one of the trigrams; undefined where the rarest of these already has more than `most`, so
 * that looking them up is no gain.
 */
export function findWithTrigrams(
  table: Trigrams,
  wanted: readonly number[],
  most: number,
): readonly number[] | undefined {
  const lists = listsOf(table, wanted);
  if (lists === undefined) return [];
  const [rarest = 0, ...others] = lists;
  const numbers: number[] = [];
  eachIn(table.lists, rarest, (number) => {
    numbers.push(number);
  });
  return numbers.length > most ? undefined : keepInLists(table, numbers, others);
}

/** The lists of these trigrams, the shortest first; undefined where one of them is nowhere. */
function listsOf({ trigrams, lists: { starts } }: Trigrams, wanted: readonly number[]): number[] | undefined {
  const lists = wanted.map((trigram) => placeOf(trigrams, trigram));
  if (lists.includes(-1)) return undefined;
  const sizeOf = (list: number): number => (starts[list + 1] ?? 0) - (starts[list] ?? 0);
  return lists.sort((one, other) => sizeOf(one) - sizeOf(other));
}

function keepInLists({ lists }: Trigrams, numbers: readonly number[], places: readonly number[]): readonly number[] {
  let left = numbers;
  for (const list of places) {
    if (left.length === 0) return left;
    const has = new Uint8Array((left.at(-1) ?? 0) + 1);
    eachIn(lists, list, (number) => {
      has[number] = 1;
    });
    left = left.filter((number) => has[number] === 1);
  }
  return left;
}

function placeOf(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle] ?? 0;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function countBits(bits: number): number {
  let value = bits - ((bits >>> 1) & 0x55555555);
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333);
  return Math.imul((value + (value >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
