import type { CodeMode } from "./model.ts";

export interface IndexedChunk {
  readonly file: string;
  readonly mode: CodeMode;
  readonly kind: string;
  readonly lang: string;
  readonly name: string;
  readonly signature: string;
  /** What encloses it. */
  readonly header: string;
  readonly doc: string;
  readonly text: string;
  /** What stands before and behind a comment on its lines; empty for anything else. */
  readonly lead: string;
  readonly tail: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly start: number;
  readonly end: number;
  readonly counts: CodeCounts | undefined;
  /** Bits: asynchronous, a generator, returns a value. */
  readonly flags: number;
  /** Modules that its file imports. */
  readonly imports: readonly string[];
  readonly facts: readonly CodeFact[];
  /** What its words are made of, for questions in prose. */
  readonly stems: string;
}

interface CodeCounts {
  readonly branches: number;
  readonly loops: number;
  readonly breaks: number;
  readonly continues: number;
}

interface CodeFact {
  /** Named as the filter that asks for it. */
  readonly fact: string;
  readonly value: string;
}

/** A copy of an index that can be asked for chunks by what it holds of them. */
export interface CopiedIndex {
  /** What it says of itself. */
  readonly meta: Readonly<Record<string, string>>;
  listFiles(): readonly CopiedFile[];
  /** Values that a fact has anywhere. */
  listValues(fact: string): readonly string[];
  filesImporting(modules: readonly string[]): readonly number[];
  /** Words of the full-text table that have this in them; undefined where there are too many to ask for. */
  wordsWith(part: string): readonly string[] | undefined;
  /** Ids of the chunks that pass, ascending. */
  select(ask: CopySelection): readonly number[];
  read(ids: readonly number[]): readonly CopiedRow[];
  /** All chunks of a file that hold its lines, in order. */
  readFile(file: number): readonly CopiedRow[];
}

export interface CopiedFile {
  readonly id: number;
  readonly path: string;
  readonly lang: string;
}

export interface CopySelection {
  readonly modes: readonly CodeMode[];
  readonly files: readonly number[] | undefined;
  readonly kinds: readonly string[] | undefined;
  /** Each has to hold, with one of its values. */
  readonly facts: readonly { readonly fact: string; readonly values: readonly string[] }[];
  /** One of these stands in the signature. */
  readonly signatures: readonly string[] | undefined;
  readonly counts: Readonly<Partial<CodeCounts>>;
  /** Bits that have to be set. */
  readonly flags: number;
  /** What full-text search can rule out beforehand. */
  readonly words: CopyWords | undefined;
  /** One of these has to be among its stems. */
  readonly stems: readonly string[] | undefined;
}

export type CopyWords =
  | { readonly type: "any"; readonly words: readonly string[] }
  | { readonly type: "and" | "or"; readonly parts: readonly CopyWords[] };

export interface CopiedRow extends Omit<IndexedChunk, "imports" | "stems" | "facts" | "lang" | "file"> {
  readonly id: number;
  readonly fileId: number;
  readonly facts: () => readonly CodeFact[];
  readonly imports: () => readonly string[];
}
