import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseFile } from "../../src/codeindex/parse/parse-file.ts";
import { type Chunk, type ParsedFile, type WordFact, wordFacts, wordsOf } from "../../src/codeindex/parsed-file.ts";

/** A chunk with everything a filter can ask of it, read from the file as it lies there. */
export interface Scanned {
  readonly id: string;
  readonly path: string;
  readonly file: ParsedFile;
  readonly chunk: Chunk;
  readonly facts: ReadonlyMap<WordFact, readonly string[]>;
}

export async function scan(root: string, paths: Iterable<string>): Promise<Scanned[]> {
  const all: Scanned[] = [];
  for (const path of paths) {
    const file = await parseFile(path, readFileSync(join(root, path)));
    if ("skipped" in file) continue;
    for (const [at, chunk] of file.chunks.entries()) {
      const mark = chunk.mode === "extracted-prose" ? "c" : "";
      const facts = new Map(wordFacts.map((fact) => [fact, wordsOf(file, at, fact)]));
      all.push({ id: `${path}@${chunk.start}-${chunk.end}${mark}`, path, file, chunk, facts });
    }
  }
  return all;
}

/** Writes a file of a model, or takes it away. */
export function put(root: string, files: Set<string>, path: string, text: string | null): void {
  const place = join(root, path);
  if (text === null) {
    rmSync(place, { force: true });
    files.delete(path);
    return;
  }
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
  files.add(path);
}

/** Asks for whatever passes the filters. */
export const everyChunk = {
  query: "",
  modes: ["code", "prose", "extracted-prose"],
  isNothing: false,
  top: 1_000,
  contextLines: 0,
  isFull: false,
  isEverywhere: false,
  now: 0,
} as const;
