import { ByteFinder } from "../query/find-bytes.ts";
import { isAscii } from "../query/fold.ts";
import { findWithTrigrams, type Trigrams, TrigramTable, trigramsOf } from "./trigrams.ts";

/**
 * Which three bytes in a row are in which blocks of words, line ends included: who looks for a part of a word need not go
 * through all of them.
 */
export interface WordParts extends Trigrams {
  /** The place of the line end before each block, and that behind the last. */
  readonly starts: Uint32Array;
}

/** Smaller ones take more room, in larger ones more is looked through. */
const wordsInBlock = 128;
/** Fewer words than this are looked through at once. */
const fewWords = 4_096;

/** Where more blocks than this may have a part, it is looked for in all. */
const mostOfAll = 0.15;

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

/** The numbers of the words with this part, ascending; undefined where going through all of them is as quick. */
export function findByParts(bytes: Buffer, parts: WordParts, sought: string, isCased: boolean): number[] | undefined {
  const trigrams = trigramsOf(sought);
  if (trigrams.length === 0 || !isAscii(sought)) return undefined;
  const { starts } = parts;
  const blocks = findWithTrigrams(parts, trigrams, (starts.length - 1) * mostOfAll);
  if (blocks === undefined) return undefined;
  const finder = new ByteFinder(sought, isCased);
  // What begins a word is found with the line end before it, which belongs to the word before.
  const inside = sought.startsWith("\n") ? 1 : 0;
  const found: number[] = [];
  for (const block of blocks) {
    const end = (starts[block + 1] ?? 0) + 1;
    let counted = starts[block] ?? 0;
    let word = block * wordsInBlock - 1;
    for (let at = finder.next(bytes, counted, end); at >= 0; ) {
      for (; counted < at + inside; counted += 1) if (bytes[counted] === lineEnd) word += 1;
      found.push(word);
      // The next one may begin with the line end behind this word.
      at = finder.next(bytes, bytes.indexOf(lineEnd, counted), end);
    }
  }
  return found;
}
