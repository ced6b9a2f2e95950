import type { Chunk, ChunkKind, ChunkMode } from "../parsed-file.ts";
import type { SourceText } from "./source-text.ts";

/** No chunk of more lines than this, unless one line alone is longer than all of them. */
const mostLines = 80;

/** What has no name of its own is gathered up to this, so that a hit says more than a single line. */
export const fewestLines = 8;

/** Lines are counted from 0, both ends included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

interface ChunkParts extends Span {
  readonly mode: ChunkMode;
  readonly kind: ChunkKind;
  readonly name?: string;
  readonly signature?: string;
  readonly docs?: readonly number[];
  readonly header?: string;
  readonly nameLine?: number;
  readonly part?: number;
  readonly counts?: Chunk["counts"];
  readonly flags?: number;
}

/** A chunk of whole lines, without blank ones at its ends; undefined where all are blank. */
export function makeChunk(source: SourceText, parts: ChunkParts): Chunk | undefined {
  let { first, last } = parts;
  while (first <= last && source.isBlank(first)) first += 1;
  while (last >= first && source.isBlank(last)) last -= 1;
  if (first > last) return undefined;
  const from = source.lineStarts[first] ?? 0;
  const to = source.endOf(last);
  return {
    mode: parts.mode,
    kind: parts.kind,
    name: parts.name ?? "",
    signature: parts.signature ?? "",
    docs: parts.docs ?? [],
    header: parts.header ?? "",
    startLine: first + 1,
    endLine: last + 1,
    nameLine: Math.max(first, parts.nameLine ?? first) + 1,
    start: source.byteOf(from),
    end: source.byteOf(to),
    from,
    to,
    part: parts.part ?? 0,
    counts: parts.counts,
    flags: parts.flags ?? 0,
  };
}

/**
 * Cuts a span into pieces of at most `mostLines`. `rank` says how good a place a line is to begin a piece with, 0 being
 * none; the best of the later two thirds wins, the last among equals.
 */
export function cutSpan(span: Span, rank: (line: number) => number): readonly Span[] {
  const pieces: Span[] = [];
  let first = span.first;
  while (span.last - first + 1 > mostLines) {
    let best = first + mostLines;
    let bestRank = 0;
    for (let line = first + mostLines; line > first + mostLines / 3; line -= 1) {
      const found = rank(line);
      if (found <= bestRank) continue;
      best = line;
      bestRank = found;
    }
    pieces.push({ first, last: best - 1 });
    first = best;
  }
  pieces.push({ first, last: span.last });
  return pieces;
}

/** After a blank line, and the less indented the better: where paragraphs and blocks begin in any language. */
export function rankByLayout(source: SourceText): (line: number) => number {
  return (line) => {
    if (source.isBlank(line)) return 0;
    const indent = /^[ \t]*/.exec(source.line(line).slice(0, 64))?.[0].length ?? 0;
    return (line > 0 && source.isBlank(line - 1) ? 200 : 100) - indent;
  };
}
