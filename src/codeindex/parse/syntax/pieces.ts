import { cutSpan, fewestLines, rankByLayout, type Span } from "../chunk.ts";
import type { SourceText } from "../source-text.ts";
import type { Definition } from "./definitions.ts";

/** Whole lines that become one chunk: a definition, a part of one, or what lies between. */
export interface Piece extends Span {
  readonly definition: Definition | undefined;
  readonly part: number;
  /** All of the definition's lines are its own, none a definition further in. */
  readonly isWhole: boolean;
}

const longest = 80;

/**
 * Cuts a file along its definitions. Each has a chunk to itself, however short; a class gives its members theirs and keeps
 * the rest, as does anything longer than a chunk. In between lines are gathered.
 */
export function cutPieces(source: SourceText, definitions: readonly Definition[]): readonly Piece[] {
  const pieces: Piece[] = [];
  const parts = new Map<Definition, number>();
  const rank = rankByLayout(source);
  walk(undefined, { first: 0, last: source.lineCount - 1 }, definitions);
  return pieces;

  function walk(around: Definition | undefined, span: Span, children: readonly Definition[]): void {
    let next = span.first;
    for (const child of children) {
      if (!hasOwnChunk(child) || child.last < next) continue;
      // The line a class begins on is the class's, whatever else is on it.
      const first = Math.max(child.first, next + (around?.first === next ? 1 : 0));
      if (first > child.last) continue;
      keepBetween(around, { first: next, last: first - 1 });
      const own = { first, last: Math.min(child.last, span.last) };
      if (isOpened(child, own)) walk(child, own, child.children);
      else push(child, own, true);
      next = own.last + 1;
    }
    keepBetween(around, { first: next, last: span.last });
  }

  function keepBetween(around: Definition | undefined, span: Span): void {
    let { first, last } = span;
    while (first <= last && source.isBlank(first)) first += 1;
    while (last >= first && source.isBlank(last)) last -= 1;
    if (first > last) return;
    const before = pieces.at(-1);
    // Braces that close what is around go with what came last inside it.
    if (before && last - first < fewestLines && isClosing(source, first, last))
      pieces[pieces.length - 1] = { ...before, last };
    else push(around, { first, last }, false);
  }

  function push(definition: Definition | undefined, span: Span, isWhole: boolean): void {
    for (const piece of cutSpan(span, rank)) {
      if (isBlank(source, piece)) continue;
      const part = definition ? (parts.get(definition) ?? 0) : 0;
      if (definition) parts.set(definition, part + 1);
      pieces.push({ ...piece, definition, part, isWhole });
    }
  }
}

const hasOwnChunk = ({ kind, first, last, children }: Definition): boolean =>
  kind !== "data" || last - first + 1 >= fewestLines || children.some(hasOwnChunk);

/** A class is opened for its members; anything else only where it would not fit. */
function isOpened({ kind, children }: Definition, { first, last }: Span): boolean {
  if (!children.some(hasOwnChunk)) return false;
  return kind === "class" || kind === "interface" || kind === "enum" || kind === "scope" || last - first + 1 > longest;
}

/** Somebody may leave hundreds of lines empty. */
function isBlank(source: SourceText, { first, last }: Span): boolean {
  for (let line = first; line <= last; line += 1) if (!source.isBlank(line)) return false;
  return true;
}

function isClosing(source: SourceText, first: number, last: number): boolean {
  for (let line = first; line <= last; line += 1) {
    if (!/^[\s{}()[\];,]*(end\b)?[\s;)]*$/.test(source.line(line).slice(0, 200))) return false;
  }
  return true;
}
