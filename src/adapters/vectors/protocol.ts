/** The files of a sentence model. */
export interface SentenceModel {
  readonly weights: string;
  /** What its numbers stand for: `tokenizer.json` or `vocab.txt`. */
  readonly words: string;
}

/** What is said to the thread that makes vectors: one request at a time. */
export interface VectorRequest {
  readonly texts: readonly string[];
}

/** What it answers: the vectors, or why it never will. Anything unforeseen ends the thread instead. */
export type VectorReply = { readonly vectors: readonly Float32Array[] } | { readonly absent: string };
