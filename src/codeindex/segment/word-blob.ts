import { foldBytes, foldText } from "../query/fold.ts";
import { WordHash } from "./word-hash.ts";
import { findByParts, indexParts, type WordParts } from "./word-parts.ts";

interface Wanted {
  /** The whole word, not a part of it. */
  readonly isWhole: boolean;
  readonly isCased: boolean;
  /** Of a part: that the word begins or ends with it. */
  readonly begins?: boolean;
  readonly ends?: boolean;
}

const lineEnd = 10;
/** Agents ask for the same words again and again, and whoever types asks with every letter. */
const mostRemembered = 64;

/**
 * A list of words that never changes, as one run of bytes with a line end before, between and after them: looking
 * through half a million of them is one search for bytes, and loading them costs nothing.
 */
export class WordBlob {
  readonly bytes: Buffer;
  readonly length: number;
  /** Where parts of words are, if they are looked for often and there are many words. */
  readonly parts: WordParts | undefined;
  #ends: Uint32Array | undefined;
  #folded: { readonly bytes: Buffer; readonly ends: Uint32Array } | undefined;
  /** Made when a whole word is looked for first. */
  #hash: WordHash | undefined;
  #foldedHash: WordHash | undefined;
  /** What was found for parts of words lately. */
  readonly #found = new Map<string, readonly number[]>();

  constructor(bytes: Uint8Array, length: number, parts?: WordParts) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.length = length;
    this.parts = parts;
  }

  static of(words: readonly string[]): WordBlob {
    return new WordBlob(bytesOf(words), words.length);
  }

  /** The same for words that are asked for by their parts. */
  static withParts(words: readonly string[]): WordBlob {
    const bytes = bytesOf(words);
    return new WordBlob(bytes, words.length, indexParts(bytes, words.length));
  }

  /** For each word the place of the line end behind it; found when they are needed first. */
  get ends(): Uint32Array {
    this.#ends ??= listEnds(this.bytes, this.length);
    return this.#ends;
  }

  at(number: number): string {
    const from = number === 0 ? 1 : (this.ends[number - 1] ?? 0) + 1;
    return this.bytes.toString("utf8", from, this.ends[number] ?? from);
  }

  /** The numbers of the words that have this in them. */
  find(wanted: string, { isWhole, isCased, begins = false, ends = false }: Wanted): readonly number[] {
    if (this.length === 0 || wanted.includes("\n")) return [];
    const sought = isCased ? wanted : foldText(wanted);
    if (isWhole) return this.#hashOf(isCased).find(Buffer.from(sought));
    if (sought === "") return [...this.ends.keys()];
    const part = `${begins ? "\n" : ""}${sought}${ends ? "\n" : ""}`;
    const key = `${isCased ? "C" : "c"}${part}`;
    const found = this.#found.get(key) ?? this.#findParts(part, isCased);
    this.#found.delete(key);
    this.#found.set(key, found);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= mostRemembered) break;
      this.#found.delete(oldest);
    }
    return found;
  }

  #findParts(sought: string, isCased: boolean): number[] {
    const known = this.parts && findByParts(this.bytes, this.parts, sought, isCased);
    if (known) return known;
    const { bytes, ends } = isCased ? this : this.#fold();
    const needle = Buffer.from(sought);
    const found: number[] = [];
    for (let at = bytes.indexOf(needle); at !== -1; ) {
      // What begins a word is found with the line end before it, which belongs to the word before.
      const number = wordAt(ends, at + (needle[0] === lineEnd ? 1 : 0));
      found.push(number);
      at = bytes.indexOf(needle, ends[number] ?? bytes.length);
    }
    return found;
  }

  #hashOf(isCased: boolean): WordHash {
    if (isCased) {
      this.#hash ??= new WordHash(this.bytes, this.ends, { isCased });
      return this.#hash;
    }
    this.#foldedHash ??= new WordHash(this.bytes, this.ends, { isCased });
    return this.#foldedHash;
  }

  #fold() {
    if (this.#folded) return this.#folded;
    const bytes = foldBytes(this.bytes);
    const isInPlace = this.ends.every((end) => bytes[end] === lineEnd);
    const ends = isInPlace ? this.ends : listEnds(bytes, this.length);
    this.#folded = { bytes, ends };
    return this.#folded;
  }
}

const bytesOf = (words: readonly string[]): Buffer => Buffer.from(`\n${words.map(onOneLine).join("\n")}\n`);

const onOneLine = (word: string): string => (word.includes("\n") ? word.replaceAll("\n", " ") : word);

function listEnds(bytes: Buffer, count: number): Uint32Array {
  const ends = new Uint32Array(count);
  let word = 0;
  for (let at = 1; at < bytes.length && word < count; at += 1) if (bytes[at] === lineEnd) ends[word++] = at;
  return ends;
}

/** The word in which this place lies. */
function wordAt(ends: Uint32Array, place: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
