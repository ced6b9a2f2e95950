import type { Language } from "./parse/languages.ts";

/** What the index knows of one file. Either it was cut into chunks, or it was skipped as a whole; never cut short. */
export type FileOutcome = ParsedFile | SkippedFile;

export interface SkippedFile {
  /** A few words for people, as in `skipped: [{file, reason}]`. */
  readonly skipped: string;
}

export interface ParsedFile {
  readonly language: Language;
  /** Bytes and characters differ by it; `decodeText` gives the same text again. */
  readonly encoding: Encoding;
  /**
   * First those of mode `code` or `prose`: in the order of the file, never overlapping, together holding every line that is
   * not blank. Then those of mode `extracted-prose`, in order too, which lie inside the others.
   */
  readonly chunks: readonly Chunk[];
  /** What the file as a whole imports, as written: every chunk of it answers the filter `import` by this list. */
  readonly imports: readonly string[];
  /** Every value that occurs in `facts`, once. */
  readonly words: readonly string[];
  /**
   * Pairs, sorted and without repetition: the first number is `chunk * factStride + fact`, the second a place in `words`.
   * Flat, because it crosses a thread and becomes postings, one pair each.
   */
  readonly facts: Uint32Array;
}

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin-1";

export interface Chunk {
  readonly mode: ChunkMode;
  readonly kind: ChunkKind;
  /** Of a definition its own name, of a section its heading, of a comment what it stands before; else "". */
  readonly name: string;
  /** The definition's first line up to its body, on one line; else "". */
  readonly signature: string;
  /** Where the comment and the doc string of the definition lie, as pairs of places in the decoded text: see `readDoc`. */
  readonly docs: readonly number[];
  /** What encloses it, outermost first, such as `class Queue extends Store`, or the headings above a section. */
  readonly header: string;
  /** From 1. A definition begins with the comment and the decorators that belong to it. */
  readonly startLine: number;
  /** The last line, included. */
  readonly endLine: number;
  /** Where the definition itself begins; the first line of any other chunk. */
  readonly nameLine: number;
  /** Bytes of the file: from `start` up to, not including, `end`. */
  readonly start: number;
  readonly end: number;
  /** In characters of the decoded text. */
  readonly from: number;
  readonly to: number;
  /** Which part of a definition longer than a chunk this is, from 0. Counts and flags are those of the whole. */
  readonly part: number;
  /** Branches, loops, breaks, continues, in the order of `countFacts`. Without them the filters on counts fail. */
  readonly counts: readonly [number, number, number, number] | undefined;
  /** Bits, in the order of `flagFacts`. */
  readonly flags: number;
}

export type ChunkMode = "code" | "prose" | "extracted-prose";

export const chunkKinds = [
  "function",
  "method",
  "class",
  "interface",
  "enum",
  "type",
  "section",
  "comment",
  "data",
  "file",
] as const;

export type ChunkKind = (typeof chunkKinds)[number];

/** Facts that are words, named as the filters that ask for them; the place in this list is the fact's number. */
export const wordFacts = [
  "calls",
  "uses",
  "param",
  "decorator",
  "inferredType",
  "returnType",
  "throws",
  "reads",
  "writes",
  "mutates",
  "alias",
  "awaits",
  "extends",
  "visibility",
  "riskTag",
  "riskSource",
  "riskSink",
  "riskCategory",
  "riskFlow",
] as const;

export type WordFact = (typeof wordFacts)[number];

/** More than there are facts: the step from one chunk to the next in `ParsedFile.facts`. */
export const factStride = 32;

export const countFacts = ["branches", "loops", "breaks", "continues"] as const;

export const flagFacts = ["async", "generator", "returns"] as const;

/** A filter that depends on what the language's parser understands. `import` is asked of the file. */
export type SyntaxFilter = WordFact | (typeof countFacts)[number] | (typeof flagFacts)[number] | "import" | "signature";

/** The values of one fact of one chunk. Slow: postings are made by walking `facts` once. */
export function wordsOf(file: ParsedFile, chunk: number, fact: WordFact): readonly string[] {
  const key = chunk * factStride + wordFacts.indexOf(fact);
  const found: string[] = [];
  for (let at = 0; at < file.facts.length; at += 2) {
    if (file.facts[at] === key) found.push(file.words[file.facts[at + 1] ?? 0] ?? "");
  }
  return found;
}
