import { GrowingList } from "../../search/growing-list.ts";
import { WordTable } from "../../search/word-table.ts";
import { foldText, isWordCode } from "../query/fold.ts";
import { type FrozenLists, freezeLists } from "./frozen-lists.ts";
import { mostWeight, standsInText } from "./segment.ts";
import { listStems } from "./stems.ts";
import { WordBlob } from "./word-blob.ts";

/** Runs of word characters that are longer (keys, data) are kept in pieces that overlap. */
const longestPiece = 256;
/** Whatever is not longer than this lies in one piece as a whole. */
export const longestWord = 128;

/** What a word counts for beside its occurrences in the text. */
const weights = { name: 5, signature: 2, header: 1 } as const;

interface ChunkText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly signature: string;
  readonly header: string;
}

/** Which words occur in which chunks. */
export class TermTable {
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #table: WordTable;
  readonly #learn = (word: string): readonly number[] => [this.#number(word)];
  readonly #lists = new GrowingList(1_024);
  readonly #chunks = new GrowingList(1_024);
  readonly #extras = new GrowingList(1_024);
  /** For each term the place of its pair in the chunk under way, and of which chunk that was. */
  readonly #places = new GrowingList(1_024);
  readonly #stamps = new GrowingList(1_024);

  constructor(options: { readonly isLarge: boolean }) {
    this.#table = new WordTable(options.isLarge ? 200_000 : 2_000);
  }

  /** Chunks come in ascending order. Answers how many words the text has. */
  add(chunk: number, { text, from, to, name, signature, header }: ChunkText): number {
    const length = this.#addRuns(chunk, text, from, to, 1, standsInText);
    this.#addRuns(chunk, name, 0, name.length, weights.name, 0);
    this.#addRuns(chunk, signature, 0, signature.length, weights.signature, 0);
    this.#addRuns(chunk, header, 0, header.length, weights.header, 0);
    return length;
  }

  freeze() {
    const lists = freezeLists(this.#terms.length, {
      lists: this.#lists.view(),
      numbers: this.#chunks.view(),
      extras: Uint8Array.from(this.#extras.view()),
    });
    return { terms: WordBlob.withParts(this.#terms), lists, ...this.#freezeStems() };
  }

  #freezeStems(): { readonly stems: WordBlob; readonly stemLists: FrozenLists } {
    const numbers = new Map<string, number>();
    const lists = new GrowingList(1_024);
    const terms = new GrowingList(1_024);
    for (const [term, word] of this.#terms.entries()) {
      if (word.length > longestWord) continue;
      const folded = foldText(word);
      for (const stem of listStems(word)) {
        // The vocabulary itself finds this one.
        if (stem === folded) continue;
        const number = numbers.get(stem) ?? numbers.size;
        if (number === numbers.size) numbers.set(stem, number);
        lists.push(number);
        terms.push(term);
      }
    }
    const pairs = { lists: lists.view(), numbers: terms.view() };
    return { stems: WordBlob.of([...numbers.keys()]), stemLists: freezeLists(numbers.size, pairs) };
  }

  #addRuns(chunk: number, text: string, from: number, to: number, weight: number, mark: number): number {
    let count = 0;
    for (let at = from; at < to; at += 1) {
      if (!isWordCode(text.charCodeAt(at))) continue;
      const start = at;
      while (at < to && isWordCode(text.charCodeAt(at))) at += 1;
      count += 1;
      if (at - start <= longestPiece) this.#addWord(chunk, text, start, at, weight, mark);
      else {
        for (let piece = start; piece < at; piece += longestPiece - longestWord) {
          this.#addWord(chunk, text, piece, Math.min(at, piece + longestPiece), weight, mark);
          if (piece + longestPiece >= at) break;
        }
      }
    }
    return count;
  }

  #addWord(chunk: number, text: string, start: number, end: number, weight: number, mark: number): void {
    const term = this.#table.find(text, start, end, this.#learn);
    const stamp = chunk + 1;
    if (this.#stamps.at(term) !== stamp) {
      this.#stamps.set(term, stamp);
      this.#places.set(term, this.#lists.length);
      this.#lists.push(term);
      this.#chunks.push(chunk);
      this.#extras.push(Math.min(weight, mostWeight) | mark);
      return;
    }
    const place = this.#places.at(term);
    const extra = this.#extras.at(place);
    this.#extras.set(place, Math.min((extra & mostWeight) + weight, mostWeight) | (extra & standsInText) | mark);
  }

  #number(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#terms.length;
    this.#numbers.set(word, number);
    this.#terms.push(word);
    this.#places.push(0);
    this.#stamps.push(0);
    return number;
  }
}
