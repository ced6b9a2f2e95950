import type { CodeHit } from "../../domain/codeindex/model.ts";
import { chunkKinds, countFacts, flagFacts, wordFacts } from "../parsed-file.ts";
import { endingOf } from "../query/filter-values.ts";
import { listSought, type Query } from "../query/grammar.ts";
import { chunkModes } from "../segment/builder.ts";
import { docOf } from "../segment/doc-of.ts";
import { factsByChunk } from "../segment/facts-by-chunk.ts";
import { noCount, type Segment } from "../segment/segment.ts";
import type { FileHistory } from "../tree/history.ts";
import { findFirst } from "./literals.ts";
import type { Ranked } from "./top-list.ts";

interface HitOptions {
  readonly query: Query;
  readonly isCased: boolean;
  readonly contextLines: number;
  readonly isFull: boolean;
  historyOf(path: string): FileHistory | undefined;
}

const longestHeadline = 200;

/** A hit as it is told, with what its file says around it. */
export function makeHit({ scope, chunk, entry, score }: Ranked, text: string, options: HitOptions): CodeHit {
  const { chunks, contents, strings } = scope.segment;
  const [from = 0, to = 0] = [chunks.from[chunk], chunks.to[chunk]];
  const [startLine = 1, endLine = 1] = [chunks.startLine[chunk], chunks.endLine[chunk]];
  const [start = 0, end = 0] = [chunks.start[chunk], chunks.end[chunk]];
  const body = text.slice(from, to);
  const headline = findHeadline(body, (chunks.nameLine[chunk] ?? startLine) - startLine, options);
  const isComment = chunkModes[chunks.mode[chunk] ?? 0] === "extracted-prose";
  const hit = {
    id: `${entry.path}@${start}-${end}${isComment ? "c" : ""}`,
    file: entry.path,
    startLine,
    endLine,
    start,
    end,
    ext: endingOf(entry.path),
    lang: contents.languages[chunks.content[chunk] ?? 0] ?? "text",
    kind: chunkKinds[chunks.kind[chunk] ?? 0] ?? "file",
    name: strings.at(chunks.name[chunk] ?? 0),
    headline: headline.text,
    line: startLine + headline.line,
    score: Math.round(score * 1_000) / 1_000,
  };
  return {
    ...hit,
    ...(options.contextLines > 0 && { context: contextOf(text, from, to, options.contextLines) }),
    ...(options.isFull && {
      text: body,
      signature: strings.at(chunks.signature[chunk] ?? 0),
      doc: docOf(scope.segment, chunk, text),
      meta: metaOf(scope.segment, chunk, options.historyOf(entry.path)),
    }),
  };
}

/** The first line with something that was sought; else the one that names the chunk. */
export function findHeadline(
  body: string,
  nameLine: number,
  { query, isCased }: Pick<HitOptions, "query" | "isCased">,
): { text: string; line: number } {
  const lines = body.split("\n");
  const places = listSought(query)
    .map((atom) => findFirst(atom, isCased, body))
    .filter((place) => place >= 0);
  const line =
    places.length === 0 ? Math.max(0, Math.min(nameLine, lines.length - 1)) : countLines(body, Math.min(...places));
  const text = (lines[line] ?? "").trim();
  return { line, text: text.length > longestHeadline ? `${text.slice(0, longestHeadline - 1)}…` : text };
}

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

function contextOf(text: string, from: number, to: number, lines: number): NonNullable<CodeHit["context"]> {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const before =
    start === 0
      ? []
      : text
          .slice(0, start - 1)
          .split("\n")
          .slice(-lines);
  const lineEnd = text[to - 1] === "\n" ? to - 1 : text.indexOf("\n", to);
  const rest = lineEnd === -1 ? "" : text.slice(lineEnd + 1);
  const after = rest === "" ? [] : rest.replace(/\n$/, "").split("\n", lines);
  const clean = (line: string): string => line.replace(/\r$/, "");
  return { before: before.map(clean), after: after.map(clean) };
}

/** Everything that filters can ask of a chunk. */
function metaOf(segment: Segment, chunk: number, history: FileHistory | undefined): Record<string, unknown> {
  const { facts, imports, chunks, strings } = segment;
  const meta: Record<string, unknown> = {};
  const add = (name: string, value: string): void => {
    const list = meta[name];
    if (Array.isArray(list)) list.push(value);
    else meta[name] = [value];
  };
  const { factsOf, importsOf } = factsByChunk(segment);
  for (const place of factsOf(chunk)) {
    add(wordFacts[facts.fact[place] ?? 0] ?? "", facts.words.at(facts.word[place] ?? 0));
  }
  for (const place of importsOf(chunks.content[chunk] ?? 0)) add("import", imports.at(place));
  for (const [place, count] of countFacts.entries()) {
    const value = chunks.counts[chunk * countFacts.length + place] ?? noCount;
    if (value !== noCount) meta[count] = value;
  }
  for (const [place, flag] of flagFacts.entries())
    if ((((chunks.flags[chunk] ?? 0) >> place) & 1) === 1) meta[flag] = true;
  const header = strings.at(chunks.header[chunk] ?? 0);
  if (header !== "") meta["header"] = header;
  if (history) {
    meta["authors"] = history.authors;
    meta["churn"] = history.churn;
    meta["modifiedAt"] = new Date(history.modifiedAt).toISOString();
  }
  return meta;
}
