import { foldByte, foldBytes } from "../query/fold.ts";

/** Numbers of words by their bytes, for looking up whole ones without going through all of them. */
export class WordHash {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;
  readonly #isCased: boolean;
  /** The number of a word and 1; words that are the same stand one behind the other. */
  readonly #slots: Uint32Array;

  /** The words lie in `bytes`, each behind a line end; `ends` are the places of the line ends after them. */
  constructor(bytes: Buffer, ends: Uint32Array, { isCased }: { readonly isCased: boolean }) {
    this.#bytes = bytes;
    this.#ends = ends;
    this.#isCased = isCased;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(ends.length * 2 + 2)));
    const mask = this.#slots.length - 1;
    for (let word = 0; word < ends.length; word += 1) {
      let slot = this.#hashOf(word) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = word + 1;
    }
  }

  /** Words that are these bytes, in small letters unless capitals matter. */
  find(sought: Buffer): number[] {
    const mask = this.#slots.length - 1;
    const found: number[] = [];
    for (let slot = hash(sought, 0, sought.length) & mask; ; slot = (slot + 1) & mask) {
      const word = (this.#slots[slot] ?? 0) - 1;
      if (word < 0) return found.sort((one, other) => one - other);
      if (this.#isWord(word, sought)) found.push(word);
    }
  }

  #hashOf(word: number): number {
    const [start, end] = [this.#startOf(word), this.#ends[word] ?? 0];
    if (this.#isCased) return hash(this.#bytes, start, end);
    const folded = hashFolded(this.#bytes, start, end);
    if (folded !== undefined) return folded;
    const letters = foldBytes(this.#bytes.subarray(start, end));
    return hash(letters, 0, letters.length);
  }

  #isWord(word: number, sought: Buffer): boolean {
    const [start, end] = [this.#startOf(word), this.#ends[word] ?? 0];
    if (this.#isCased) return this.#bytes.compare(sought, 0, sought.length, start, end) === 0;
    return foldBytes(this.#bytes.subarray(start, end)).equals(sought);
  }

  #startOf(word: number): number {
    return word === 0 ? 1 : (this.#ends[word - 1] ?? 0) + 1;
  }
}

/** FNV-1a. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  return value ^ (value >>> 15);
}

/** The same of ASCII in small letters; undefined where there are other letters. */
function hashFolded(bytes: Uint8Array, start: number, end: number): number | undefined {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 128) return undefined;
    value = Math.imul(value ^ (foldByte[byte] ?? 0), 0x01000193);
  }
  return value ^ (value >>> 15);
}
