import { foldBytes } from "../query/fold.ts";
import { keepWithTrigrams, type Trigrams, TrigramTable, trigramsOf } from "./trigrams.ts";

/**
 * Which three bytes in a row are in which blocks of words, line ends included: who looks for a part of a word need not go
 * through all of them.
 */
export interface WordParts extends Trigrams {
  /** The place of the line end before each block, and that behind the last. */
  readonly starts: Uint32Array;
}

/** Smaller ones take more room, in larger ones more is looked through. */
const wordsInBlock = 64;
/** Fewer words than this are looked through at once. */
const fewWords = 4_096;

const lineEnd = 10;

/** Undefined where it is not worth it. */
export function indexParts(bytes: Buffer, length: number): WordParts | undefined {
  if (length < fewWords) return undefined;
  const starts: number[] = [];
  const table = new TrigramTable();
  let end = 0;
  for (let block = 0; block * wordsInBlock < length; block += 1) {
    const start = end;
    for (let word = block * wordsInBlock; word < Math.min(length, (block + 1) * wordsInBlock); word += 1) {
      end = bytes.indexOf(lineEnd, end + 1);
    }
    starts.push(start);
    table.add(block, bytes.subarray(start, end + 1));
  }
  return { ...table.freeze(), starts: Uint32Array.from([...starts, end]) };
}

/** The numbers of the words with this part, ascending; undefined where it is too short to be looked up. */
export function findByParts(bytes: Buffer, parts: WordParts, sought: string, isCased: boolean): number[] | undefined {
  const trigrams = trigramsOf(sought);
  if (trigrams.length === 0) return undefined;
  const { starts } = parts;
  const blocks = keepWithTrigrams(parts, [...starts.keys()].slice(0, -1), trigrams);
  const needle = Buffer.from(sought);
  const found: number[] = [];
  for (const block of blocks) {
    const raw = bytes.subarray(starts[block] ?? 0, (starts[block + 1] ?? 0) + 1);
    eachWordWith(isCased ? raw : foldBytes(raw), needle, (word) => found.push(block * wordsInBlock + word));
  }
  return found;
}

/** Words lie between line ends, the first of which is the first byte. */
function eachWordWith(words: Buffer, needle: Buffer, visit: (word: number) => void): void {
  // What begins a word is found with the line end before it, which belongs to the word before.
  const inside = needle[0] === lineEnd ? 1 : 0;
  let word = -1;
  let counted = 0;
  for (let at = words.indexOf(needle); at !== -1; ) {
    for (; counted < at + inside; counted += 1) if (words[counted] === lineEnd) word += 1;
    visit(word);
    const end = words.indexOf(lineEnd, at + inside);
    if (end === -1) return;
    at = words.indexOf(needle, end);
  }
}
