import { type FactBook, factNumbers } from "../fact-book.ts";
import type { SourceText } from "../source-text.ts";
import { longestAssignment, readAssignment } from "./assignments.ts";
import type { Capture, Definition } from "./definitions.ts";
import { pathEndingAt, pathPattern, readParams, segmentsOf } from "./names.ts";
import type { Piece } from "./pieces.ts";
import { RiskFinder } from "./risk-finder.ts";
import type { Syntax } from "./syntax.ts";

/** What is counted of a piece, or of the whole definition it is a part of. */
export interface Tally {
  /** Branches, loops, breaks, continues. */
  readonly counts: [number, number, number, number];
  returns: boolean;
  yields: boolean;
}

interface FactsAsk {
  readonly source: SourceText;
  readonly syntax: Syntax;
  readonly captures: readonly Capture[];
  readonly pieces: readonly Piece[];
  readonly book: FactBook;
}

/** Gathers the facts of every piece into the book. */
export function gatherFacts(ask: FactsAsk): {
  readonly tallies: readonly Tally[];
  readonly imports: readonly string[];
} {
  const gatherer = new Gatherer(ask);
  for (const capture of ask.captures) gatherer.take(capture);
  for (const [at, piece] of ask.pieces.entries()) gatherer.takeDefinition(at, piece);
  gatherer.scanNames();
  gatherer.finish();
  return { tallies: gatherer.tallies, imports: [...gatherer.imports] };
}

/** Methods that change what they are called on, in the languages that are parsed. */
const mutators = new Set(
  `push pop shift unshift splice sort reverse fill copyWithin set add delete clear append extend insert remove discard update
   setdefault popitem push_back pop_back push_front emplace emplace_back erase resize put putAll addAll removeAll retainAll
   Add AddRange Remove RemoveAt Clear Insert Push Pop Enqueue Dequeue push_str insert_str retain drain truncate concat!
   merge! map! select! reject! sort! compact! store`.split(/\s+/),
);

const counted: readonly string[] = ["branch", "loop", "break", "continue"];

/** Where names are words of people. */
const silent: ReadonlySet<string> = new Set(["comment", "docstring", "str"]);

class Gatherer {
  readonly tallies: readonly Tally[];
  readonly imports = new Set<string>();
  readonly #ask: FactsAsk;
  readonly #risk: RiskFinder;
  /** The piece that each line is in. */
  readonly #pieceOf: Int32Array;
  /** Names that a function gives itself. */
  readonly #locals: Set<string>[];
  /** What is no code, in order; names in it are not read. */
  readonly #silent: Capture[] = [];
  /** Where a path is written and not read. */
  readonly #written = new Set<number>();

  constructor(ask: FactsAsk) {
    this.#ask = ask;
    this.#risk = new RiskFinder(ask.book);
    this.#pieceOf = new Int32Array(ask.source.lineCount).fill(-1);
    for (const [at, { first, last }] of ask.pieces.entries()) this.#pieceOf.fill(at, first, last + 1);
    this.#locals = ask.pieces.map(() => new Set());
    const shared = new Map<Definition, Tally>();
    this.tallies = ask.pieces.map(({ definition, isWhole }) => {
      const fresh: Tally = { counts: [0, 0, 0, 0], returns: false, yields: false };
      if (!definition || !isWhole) return fresh;
      const known = shared.get(definition) ?? fresh;
      shared.set(definition, known);
      return known;
    });
  }

  take(capture: Capture): void {
    const piece = this.#pieceOf[capture.row] ?? -1;
    const tally = this.tallies[piece];
    if (!tally) return;
    const count = counted.indexOf(capture.name);
    if (count >= 0) tally.counts[count as 0 | 1 | 2 | 3] += 1;
    else if (capture.name === "return") tally.returns = true;
    else if (capture.name === "yield") tally.yields = true;
    else if (silent.has(capture.name)) this.#silent.push(capture);
    else if (capture.name === "call") this.#takeCall(piece, tally, capture);
    else this.#takeWords(piece, capture);
  }

  #takeWords(piece: number, capture: Capture): void {
    const { book } = this.#ask;
    switch (capture.name) {
      case "decl":
      case "assign":
        this.#takeAssignment(piece, capture);
        break;
      case "update":
        this.#takeUpdate(piece, capture);
        break;
      case "import":
        this.#takeImport(piece, capture);
        break;
      case "decorator":
        this.#takeDecorator(piece, capture);
        break;
      case "type":
        this.#takeType(piece, capture);
        break;
      case "extends":
      case "throws":
        book.add(piece, capture.name, bareType(this.#textOf(capture, 120)));
        break;
      case "throw":
        this.#takeThrow(piece, capture);
        break;
      case "await":
        this.#takeAwait(piece, capture);
        break;
    }
  }

  takeDefinition(at: number, { definition, part }: Piece): void {
    const { book, source, syntax } = this.#ask;
    if (!definition) return;
    if (definition.params) {
      for (const name of readParams(source.text.slice(definition.params.start, definition.params.end), syntax.params)) {
        book.add(at, "param", name);
        this.#locals[at]?.add(name);
      }
    }
    const body = definition.body && source.text.charCodeAt(definition.body.start);
    const tally = this.tallies[at];
    const isExpression = syntax.arrows === true && definition.kind !== "class" && body !== undefined && body !== 123;
    if (tally && (isExpression || (syntax.returnsByType && definition.result))) tally.returns = true;
    if (part > 0) return;
    if (definition.result) {
      const text = source.text.slice(
        definition.result.start,
        Math.min(definition.result.end, definition.result.start + 200),
      );
      book.add(at, "returnType", bareAnnotation(text));
    }
  }

  finish(): void {
    this.#risk.finish();
  }

  #textOf({ start, end }: Capture, most: number): string {
    return this.#ask.source.text.slice(start, Math.min(end, start + most));
  }

  #takeCall(piece: number, tally: Tally, capture: Capture): void {
    const { book, source, syntax } = this.#ask;
    // Of `List<String>` the path ends before the bracket.
    const isGeneric = source.text.charCodeAt(capture.end - 1) === 62;
    const end = isGeneric ? capture.start + this.#textOf(capture, 200).indexOf("<") : capture.end;
    const path = pathEndingAt(source.text, end);
    this.#written.add(end - path.length);
    const meant = syntax.wordCalls?.[this.#textOf(capture, 20)];
    if (meant !== undefined) {
      this.#takeWordCall(piece, tally, capture, meant);
      return;
    }
    const segments = segmentsOf(path);
    const last = segments.at(-1) ?? path;
    book.add(piece, "calls", path);
    if (last !== path) book.add(piece, "calls", last);
    if (segments.length > 1 && mutators.has(last)) book.add(piece, "mutates", path.slice(0, baseLength(path, last)));
    this.#risk.takeCall(piece, path);
  }

  #takeWordCall(piece: number, tally: Tally, capture: Capture, meant: string): void {
    const { source } = this.#ask;
    const end = source.endOf(capture.row);
    if (meant === "break") tally.counts[2] += 1;
    else if (meant === "continue") tally.counts[3] += 1;
    else if (meant === "return") tally.returns = true;
    else if (meant === "throw") this.#takeThrow(piece, { ...capture, end });
    else this.#takeImport(piece, { ...capture, end });
  }

  #takeAssignment(piece: number, capture: Capture): void {
    const { book } = this.#ask;
    const { targets, alias, inferred, at } = readAssignment(
      this.#textOf(capture, longestAssignment),
      this.#ask.syntax.callsMake === true,
    );
    const isCompound = /[-+*/%|&^<>?.]/.test(this.#ask.source.text.charAt(capture.start + at - 1));
    for (const { path, isMember } of targets) {
      book.add(piece, "writes", path);
      if (isMember) {
        book.add(piece, "mutates", path);
        this.#risk.takeCall(piece, path);
      } else this.#locals[piece]?.add(bareName(path));
      if (!isCompound) this.#written.add(capture.start);
    }
    if (alias !== undefined) book.add(piece, "alias", alias);
    if (inferred !== undefined) book.add(piece, "inferredType", inferred);
  }

  #takeUpdate(piece: number, capture: Capture): void {
    const text = this.#textOf(capture, 120);
    if (!/\+\+|--/.test(text)) return;
    const path = text
      .replace(/\+\+|--|;/g, "")
      .replace(/\[[\s\S]*$/, "")
      .trim();
    this.#ask.book.add(piece, "writes", path);
    if (/[.>[]/.test(text.replace(/--|\+\+/g, ""))) this.#ask.book.add(piece, "mutates", path);
  }

  #takeImport(piece: number, capture: Capture): void {
    const text = this.#textOf(capture, 20_000);
    for (const name of this.#ask.syntax.imports(text)) if (name !== "") this.imports.add(name);
    for (const [, name, alias] of text.matchAll(/([\w$.:\\*]+)\s+as\s+([\w$]+)/g)) {
      this.#ask.book.add(piece, "alias", `${alias}=${name}`);
    }
  }

  #takeDecorator(piece: number, capture: Capture): void {
    this.#written.add(capture.start);
    for (const [, name] of this.#textOf(capture, 300).matchAll(/(?:^@|^#!?\[|^\[|[,\]]\s*|#\[)\s*([\w$.:\\]+)/g)) {
      if (name) this.#ask.book.add(piece, "decorator", name);
    }
  }

  #takeType(piece: number, capture: Capture): void {
    const type = bareAnnotation(this.#textOf(capture, 120));
    if (type !== "var" && type !== "auto") this.#ask.book.add(piece, "inferredType", type);
  }

  #takeThrow(piece: number, capture: Capture): void {
    const thrown = /^\w+[\s(]+(?:new\s+)?\\?([A-Za-z_$][\w$.:\\]*)/.exec(this.#textOf(capture, 200))?.[1];
    if (thrown) this.#ask.book.add(piece, "throws", thrown.replace(/(\.|::)new$/, ""));
  }

  #takeAwait(piece: number, capture: Capture): void {
    const text = this.#textOf(capture, 200).replace(/^(await|\s|\()+/, "");
    const awaited = /^(?:new\s+)?([A-Za-z_$][\w$]*(?:(?:\?\.|\.|::)(?!await\b)#?[A-Za-z_$][\w$]*)*)/.exec(text)?.[1];
    if (awaited) this.#ask.book.add(piece, "awaits", awaited);
  }

  /** Every name that is used and every path that is read, outside of comments and strings. */
  scanNames(): void {
    const { source, syntax, book, pieces } = this.#ask;
    if (!book.keeps("uses")) return;
    const { text, lineStarts } = source;
    const seenUse: number[] = [];
    const seenRead: number[] = [];
    let next = 0;
    let line = 0;
    pathPattern.lastIndex = 0;
    for (let match = pathPattern.exec(text); match; match = pathPattern.exec(text)) {
      const start = match.index;
      while (next < this.#silent.length && (this.#silent[next]?.end ?? 0) <= start) next += 1;
      const hush = this.#silent[next];
      if (hush && hush.start <= start) {
        pathPattern.lastIndex = hush.end;
        continue;
      }
      while (line + 1 < lineStarts.length && (lineStarts[line + 1] ?? 0) <= start) line += 1;
      const piece = this.#pieceOf[line] ?? -1;
      if (piece < 0) continue;
      const path = match[0];
      const definition = pieces[piece]?.definition;
      const locals = this.#locals[piece];
      for (const segment of segmentsOf(path)) {
        const name = bareName(segment);
        if (syntax.keywords.has(name) || name === definition?.name) continue;
        const number = book.number(name);
        if (number < 0 || seenUse[number] === piece) continue;
        seenUse[number] = piece;
        if (!locals?.has(name)) book.addNumber(piece, factNumbers.uses, number);
      }
      if (this.#written.has(start) || path === definition?.name || syntax.keywords.has(path)) continue;
      if (definition?.params && start >= definition.params.start && start < definition.params.end) continue;
      this.#risk.takeRead(piece, path);
      if (!isRead(text, start, pathPattern.lastIndex)) continue;
      const number = book.number(path);
      if (number < 0 || seenRead[number] === piece) continue;
      seenRead[number] = piece;
      book.addNumber(piece, factNumbers.reads, number);
    }
  }
}

/** What is called, assigned or a key is not read. */
function isRead(text: string, start: number, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) === 32) at += 1;
  const code = text.charCodeAt(at);
  if (code === 40) return false;
  if (code === 61 && text.charCodeAt(at + 1) !== 61) return text.charCodeAt(at + 1) === 126;
  if (code !== 58 || text.charCodeAt(at + 1) === 58) return true;
  let before = start - 1;
  while (before >= 0 && text.charCodeAt(before) <= 32) before -= 1;
  const sign = text.charCodeAt(before);
  return sign !== 123 && sign !== 44 && sign !== 40;
}

const baseLength = (path: string, last: string): number =>
  path.slice(0, path.length - last.length).replace(/(\?\.|\.|->|::)$/, "").length;

/** Without the signs that mark variables in some languages. */
const bareName = (name: string): string => {
  const code = name.charCodeAt(0);
  return code === 36 || code === 64 || code === 35 ? name.replace(/^[$@#]+(?=\w)/, "") : name;
};

const bareType = (text: string): string =>
  text
    .replace(/^[:\s]+/, "")
    .replace(/[<([][\s\S]*$/, "")
    .trim();

const bareAnnotation = (text: string): string =>
  text
    .replace(/^(?:->|:|\s)+/, "")
    .replace(/\s+/g, " ")
    .trim();
