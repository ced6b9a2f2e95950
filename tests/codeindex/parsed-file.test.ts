import { expect, test } from "vitest";
import type { Grammar } from "../../src/codeindex/parse/languages.ts";
import {
  type Chunk,
  type ChunkKind,
  type ChunkMode,
  type Encoding,
  type FileOutcome,
  factStride,
  type ParsedFile,
  type SkippedFile,
  type WordFact,
  wordFacts,
  wordsOf,
} from "../../src/codeindex/parsed-file.ts";

const makeChunk = (mode: ChunkMode, kind: ChunkKind, name: string): Chunk => ({
  ...{ mode, kind, name, signature: "", docs: [], header: "", counts: undefined, flags: 0, part: 0 },
  ...{ startLine: 1, endLine: 1, nameLine: 1, start: 0, end: 1, from: 0, to: 1 },
});

function makeFile(encoding: Encoding, facts: readonly (readonly [number, WordFact, number])[]): ParsedFile {
  return {
    ...{ language: "go" satisfies Grammar, encoding, imports: [], words: ["open", "close"] },
    chunks: [makeChunk("code", "function", "a"), makeChunk("code", "function", "b")],
    facts: Uint32Array.from(
      facts.flatMap(([chunk, fact, word]) => [chunk * factStride + wordFacts.indexOf(fact), word]),
    ),
  };
}

test("[PA3] the values of a fact are found by chunk and by fact", () => {
  const file = makeFile("utf-8", [
    [0, "calls", 0],
    [0, "uses", 1],
    [1, "calls", 0],
    [1, "calls", 1],
  ]);
  expect(wordsOf(file, 0, "calls")).toEqual(["open"]);
  expect(wordsOf(file, 0, "uses")).toEqual(["close"]);
  expect(wordsOf(file, 1, "calls")).toEqual(["open", "close"]);
  expect(wordsOf(file, 1, "throws")).toEqual([]);
});

test("[PA3] a file is either parsed or skipped", () => {
  const skipped: SkippedFile = { skipped: "binary" };
  const outcomes: readonly FileOutcome[] = [makeFile("latin-1", []), skipped];
  expect(outcomes.map((outcome) => "skipped" in outcome)).toEqual([false, true]);
});
