import type { FrozenLists } from "./frozen-lists.ts";
import type { WordBlob } from "./word-blob.ts";

/**
 * A part of an index that never changes: contents of files, whatever paths they have now or had, cut into chunks. What
 * of it is in a work tree at the moment is the view's business.
 */
export interface Segment {
  readonly contents: Contents;
  readonly chunks: Chunks;
  /** Names, signatures and headers of chunks, each once. */
  readonly strings: WordBlob;
  readonly docs: DocPlaces;
  /** Runs of word characters as they are written, with the chunks they are in and how much they weigh there. */
  readonly terms: WordBlob;
  readonly termLists: FrozenLists;
  /** What terms are made of, in small letters and without endings, with the terms: see `eachTermOf`. */
  readonly stems: WordBlob;
  readonly stemLists: FrozenLists;
  /** Three bytes each, ascending, with the contents they are in. */
  readonly trigrams: Uint32Array;
  readonly trigramLists: FrozenLists;
  readonly facts: Facts;
  /** What contents import, with the contents. */
  readonly imports: WordBlob;
  readonly importLists: FrozenLists;
}

interface Contents {
  /** Blob id and language: the same bytes are read differently under another name. */
  readonly keys: readonly string[];
  readonly languages: readonly string[];
  readonly encodings: readonly string[];
  readonly bytes: Uint32Array;
  /** The first chunk of each content, and behind the last one their count. */
  readonly firstChunks: Uint32Array;
  /** Words in all its chunks, for the length of the file. */
  readonly lengths: Uint32Array;
}

/** One column for each thing that is known of a chunk. Names, signatures and headers are places in `strings`. */
export interface Chunks {
  readonly content: Uint32Array;
  readonly mode: Uint8Array;
  readonly kind: Uint8Array;
  readonly name: Uint32Array;
  readonly signature: Uint32Array;
  readonly header: Uint32Array;
  readonly startLine: Uint32Array;
  readonly endLine: Uint32Array;
  readonly nameLine: Uint32Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly part: Uint16Array;
  /** Four to a chunk, in the order of `countFacts`; `noCount` where the parser knows none. */
  readonly counts: Uint16Array;
  readonly flags: Uint8Array;
  /** In words. */
  readonly length: Uint32Array;
}

export const noCount = 65_535;

/** Where in the decoded text the comments of chunks lie: pairs of places, those of chunk n from `starts[n]` up to the next. */
interface DocPlaces {
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
}

/** Values of facts with the chunks they are true of, ordered by fact and then by word. */
export interface Facts {
  readonly words: WordBlob;
  readonly fact: Uint8Array;
  readonly word: Uint32Array;
  readonly lists: FrozenLists;
}

/** The bit of a weight that says that the word stands in the chunk itself, and not only in its header. */
export const standsInText = 128;
export const mostWeight = 127;

export const countChunks = ({ chunks }: Segment): number => chunks.content.length;
