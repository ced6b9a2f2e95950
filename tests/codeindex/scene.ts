import { expect } from "vitest";
import { parseFile } from "../../src/codeindex/parse/parse-file.ts";
import { decodeText } from "../../src/codeindex/parse/source-text.ts";
import { type Chunk, factStride, type ParsedFile, wordFacts } from "../../src/codeindex/parsed-file.ts";

/** Parses a text that must not be skipped. */
export async function parseText(path: string, text: string): Promise<ParsedFile> {
  return parseBytes(path, Buffer.from(text));
}

export async function parseBytes(path: string, bytes: Buffer): Promise<ParsedFile> {
  const outcome = await parseFile(path, bytes);
  if ("skipped" in outcome) throw new Error(`skipped: ${outcome.skipped}`);
  expectSound(outcome, bytes);
  return outcome;
}

/** What holds for every parsed file, whatever is in it. */
export function expectSound(file: ParsedFile, bytes: Buffer): void {
  const text = decodeText(bytes)?.text ?? "";
  const lines = text.split("\n");
  const isCovered = lines.map(isBlank);
  const main = file.chunks.filter(({ mode }) => mode !== "extracted-prose");
  expect(file.chunks.slice(0, main.length)).toEqual(main);
  for (const chunk of file.chunks) expectInPlace(chunk, { text, bytes, lines });
  for (const list of [main, file.chunks.slice(main.length)]) {
    for (const [at, chunk] of list.entries()) expect(chunk.from).toBeGreaterThanOrEqual(list[at - 1]?.to ?? 0);
  }
  for (const { startLine, endLine } of main) isCovered.fill(true, startLine - 1, endLine);
  expect(isCovered.flatMap((covered, line) => (covered ? [] : [line + 1]))).toEqual([]);
  expectFacts(file);
}

const isBlank = (text: string) => [...text].every((character) => character <= " ");

function expectInPlace(
  chunk: Chunk,
  { text, bytes, lines }: { text: string; bytes: Buffer; lines: readonly string[] },
): void {
  const cut = text.slice(chunk.from, chunk.to);
  expect(decodeAgain(bytes.subarray(chunk.start, chunk.end), bytes)).toBe(cut);
  expect(text.slice(0, chunk.from).split("\n").length).toBe(chunk.startLine);
  expect(cut.split("\n").length).toBe(chunk.endLine - chunk.startLine + 1);
  expect(isBlank(cut)).toBe(false);
  expect(chunk.nameLine).toBeGreaterThanOrEqual(chunk.startLine);
  expect(chunk.endLine).toBeLessThanOrEqual(lines.length);
}

/** In the encoding of the whole file. */
function decodeAgain(part: Buffer, whole: Buffer): string {
  switch (decodeText(whole)?.encoding) {
    case "utf-16le":
      return part.toString("utf16le");
    case "utf-16be":
      return Buffer.from(part).swap16().toString("utf16le");
    case "latin-1":
      return part.toString("latin1");
    default:
      return part.toString("utf8");
  }
}

function expectFacts({ facts, words, chunks }: ParsedFile): void {
  expect(new Set(words).size).toBe(words.length);
  let before = [-1, -1];
  for (let at = 0; at < facts.length; at += 2) {
    const pair = [facts[at] ?? 0, facts[at + 1] ?? 0] as const;
    expect(pair[0] > (before[0] ?? 0) || (pair[0] === before[0] && pair[1] > (before[1] ?? 0))).toBe(true);
    expect(Math.floor(pair[0] / factStride)).toBeLessThan(chunks.length);
    expect(pair[0] % factStride).toBeLessThan(wordFacts.length);
    expect(words[pair[1]]).not.toBe("");
    before = [...pair];
  }
}
