import type { ChunkKind } from "../../parsed-file.ts";
import type { SourceText } from "../source-text.ts";
import { isPath, segmentsOf } from "./names.ts";

/** One node that the language's query has named, in characters of the text. */
export interface Capture {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The line it begins on, from 0. */
  readonly row: number;
}

export interface Definition {
  readonly kind: ChunkKind | "scope";
  readonly start: number;
  readonly end: number;
  /** Lines, with the comment and the decorators that belong to it. */
  first: number;
  readonly last: number;
  name: string;
  /** Written with the name of what it belongs to, as `Foo::run`. */
  isQualified: boolean;
  params: Range | undefined;
  result: Range | undefined;
  body: Range | undefined;
  /** Where the signature begins: behind decorators that are part of the node. */
  head: number;
  /** Comments above it, and its doc string. */
  readonly docs: Range[];
  readonly parent: Definition | undefined;
  readonly children: Definition[];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Deeper than anybody writes: what is further in belongs to what encloses it. */
const deepest = 40;

/**
 * The definitions of a file as a tree, from captures in the order of the text, outer ones first. Names, parameters and
 * bodies belong to the innermost definition around them that has none yet.
 */
export function findDefinitions(source: SourceText, captures: readonly Capture[]): readonly Definition[] {
  const top: Definition[] = [];
  const open: Definition[] = [];
  const wraps: Capture[] = [];
  const above = findAbove(source, captures);
  for (const capture of captures) {
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= capture.start) open.pop();
    const inner = open.at(-1);
    if (capture.name === "wrap") wraps.push(capture);
    else if (capture.name.startsWith("d.")) {
      if (open.length >= deepest || (inner?.start === capture.start && inner.end === capture.end)) continue;
      const found = makeDefinition(source, capture, inner);
      (inner?.children ?? top).push(found);
      open.push(found);
      takeWrap(found, wraps);
      takeAbove(source, found, above);
    } else if (inner) take(source, inner, capture);
  }
  return top;
}

function makeDefinition(
  source: SourceText,
  { name, start, end, row }: Capture,
  parent: Definition | undefined,
): Definition {
  return {
    kind: name.slice("d.".length) as Definition["kind"],
    ...{
      start,
      end,
      first: row,
      last: source.lineOf(Math.max(start, end - 1)),
      name: "",
      isQualified: false,
      head: start,
    },
    ...{ params: undefined, result: undefined, body: undefined, docs: [], parent, children: [] },
  };
}

function take(source: SourceText, inner: Definition, { name, start, end }: Capture): void {
  const isOpen = inner.body === undefined && inner.kind !== "data";
  if (name === "n" && inner.name === "") {
    const text = source.text.slice(start, end);
    inner.name = lastName(text);
    inner.isQualified = /\w::/.test(text);
  } else if (name === "p" && isOpen) inner.params ??= { start, end };
  else if (name === "r" && isOpen) inner.result ??= { start, end };
  else if (name === "b") inner.body ??= { start, end };
  else if (name === "decorator" && inner.name === "") inner.head = end;
  else if (name === "docstring") inner.docs.push({ start, end });
}

/** `Foo::run` and `exports.run` are `run`; `Map<K, V>` is `Map`. */
function lastName(text: string): string {
  const bare = text.replace(/(?<=\w)<[\s\S]*$/, "").trim();
  return isPath(bare) ? (segmentsOf(bare).at(-1) ?? bare) : bare.replace(/\s+/g, " ").slice(0, 100);
}

function takeWrap(found: Definition, wraps: readonly Capture[]): void {
  const wrap = wraps.at(-1);
  // What wraps a class is not taken by its last member, which may end right before it.
  if (wrap && found.parent && wrap.start < found.parent.start) return;
  if (wrap && wrap.start <= found.start && wrap.end >= found.end && wrap.end - found.end <= 2) found.first = wrap.row;
}

interface Above extends Range {
  readonly first: number;
  readonly isComment: boolean;
}

/** Comments and decorators that have their lines to themselves, by the line they end on. */
function findAbove(source: SourceText, captures: readonly Capture[]): ReadonlyMap<number, Above> {
  const above = new Map<number, Above>();
  for (const { name, start, end, row } of captures) {
    if (name !== "comment" && name !== "decorator") continue;
    if (source.text.slice(source.lineStarts[row], start).trim() !== "") continue;
    // Some grammars count the line feed to a comment.
    const last = source.lineOf(Math.max(start, end - 1));
    above.set(last, { start, end, first: row, isComment: name === "comment" });
  }
  return above;
}

function takeAbove(source: SourceText, found: Definition, above: ReadonlyMap<number, Above>): void {
  const isFirstOfLine = source.text.slice(source.lineStarts[found.first], found.start).length < 200;
  if (!isFirstOfLine) return;
  for (let next = above.get(found.first - 1); next; next = above.get(found.first - 1)) {
    if (next.isComment) found.docs.unshift({ start: next.start, end: next.end });
    found.first = next.first;
  }
}
