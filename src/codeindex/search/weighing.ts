import type { Segment } from "../segment/segment.ts";
import type { Scope } from "./scope.ts";

/** The usual figures of such scores: how soon more occurrences stop to count, and how much the length matters. */
interface Curve {
  readonly k1: number;
  readonly b: number;
}

export const curves = {
  word: { k1: 1.2, b: 0.6 },
  questionInChunk: { k1: 1, b: 0.5 },
  questionInFile: { k1: 1.5, b: 0.7 },
} as const satisfies Record<string, Curve>;

interface Totals {
  readonly chunkWords: number;
  readonly fileWords: number;
}

const totals = new WeakMap<Segment, Totals>();

/** How long chunks and files are on average, in words. */
export function averageLengths(scopes: readonly Scope[]): { readonly chunk: number; readonly file: number } {
  let [chunkWords, chunks, fileWords, files] = [0, 0, 0, 0];
  for (const { segment } of scopes) {
    const known = totals.get(segment) ?? countWords(segment);
    totals.set(segment, known);
    chunkWords += known.chunkWords;
    fileWords += known.fileWords;
    chunks += segment.chunks.length.length;
    files += segment.contents.lengths.length;
  }
  return {
    chunk: Math.max(1, chunkWords / Math.max(1, chunks)),
    file: Math.max(1, fileWords / Math.max(1, files)),
  };
}

function countWords({ chunks, contents }: Segment): Totals {
  let [chunkWords, fileWords] = [0, 0];
  for (const length of chunks.length) chunkWords += length;
  for (const length of contents.lengths) fileWords += length;
  return { chunkWords, fileWords };
}

/** What so many occurrences count for in a text of this length. */
export const saturate = (weight: number, length: number, average: number, { k1, b }: Curve = curves.word): number =>
  (weight * (k1 + 1)) / (weight + k1 * (1 - b + (b * length) / average));

/** How much it says that something occurs: the less often it does, the more. */
export const weighRarity = (having: number, all: number): number =>
  Math.log(1 + (Math.max(0, all - having) + 0.5) / (having + 0.5));
