import { readDoc } from "../parse/comments.ts";
import { chunkModes } from "./builder.ts";
import type { Segment } from "./segment.ts";

/** What is said of a chunk in its comments, given the text of its file; of a comment all that it says. */
export function docOf({ chunks, docs }: Segment, chunk: number, text: string): string {
  const isComment = chunkModes[chunks.mode[chunk] ?? 0] === "extracted-prose";
  const places = isComment
    ? [chunks.from[chunk] ?? 0, chunks.to[chunk] ?? 0]
    : [...docs.places.subarray(docs.starts[chunk], docs.starts[chunk + 1])];
  return readDoc(text, places);
}
