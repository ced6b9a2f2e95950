import type { RE2JS } from "re2js";
import { ByteFinder } from "../query/find-bytes.ts";
import { foldText, isAscii, isWord } from "../query/fold.ts";
import type { Literal, Pattern } from "../query/grammar.ts";
import { compilePattern, listRequired } from "../query/pattern.ts";
import { eachWithExtra } from "../segment/frozen-lists.ts";
import { mostWeight, type Segment, standsInText } from "../segment/segment.ts";
import { longestWord } from "../segment/term-table.ts";
import { keepWithTrigrams, trigramsOf } from "../segment/trigrams.ts";
import { emptyMask, listContents, type Mask, type Scope } from "./scope.ts";

/** Where something that was sought occurs, and how much. */
export interface Occurrences {
  readonly atom: Literal | Pattern;
  readonly hits: readonly Mask[];
  readonly weights: readonly Float32Array[];
  /** In how many chunks of all scopes. */
  readonly having: number;
}

/** Reads what a content says now; undefined where the disk has something else by now. */
export interface ContentReader {
  text(scope: Scope, content: number): Promise<string | undefined>;
  /** As bytes where they are UTF-8 and not at hand as a text; they are overwritten by the next ones. */
  textOrBytes(scope: Scope, content: number): Promise<string | Uint8Array | undefined>;
}

/** How near a word of the text is to the word that was sought. */
const nearness = { same: 1, part: 0.6, inside: 0.3 } as const;

/** Whether the vocabulary alone can say where this occurs: an unbroken run of word characters lies in one term. */
export const isInVocabulary = (atom: Literal | Pattern): boolean =>
  atom.type === "literal" && isWord(atom.text) && atom.text.length <= longestWord;

/** Finds a word in every segment without reading a file. */
export function findWord(atom: Literal, scopes: readonly Scope[], isCased: boolean): Occurrences {
  const hits: Mask[] = [];
  const weights: Float32Array[] = [];
  let having = 0;
  for (const scope of scopes) {
    const { terms, termLists } = scope.segment;
    const { allowed } = scope;
    const mask = emptyMask(scope);
    const weight = new Float32Array(mask.length);
    for (const term of terms.find(atom.text, { isWhole: false, isCased })) {
      const near = nearnessOf(terms.at(term), atom.text);
      eachWithExtra(termLists, term, (chunk, extra) => {
        if (extra < standsInText || allowed[chunk] !== 1) return;
        having += 1 - (mask[chunk] ?? 0);
        mask[chunk] = 1;
        weight[chunk] = (weight[chunk] ?? 0) + near * (extra & mostWeight);
      });
    }
    hits.push(mask);
    weights.push(weight);
  }
  return { atom, hits, weights, having };
}

function nearnessOf(term: string, sought: string): number {
  if (term.length === sought.length) return nearness.same;
  const at = foldText(term).indexOf(foldText(sought));
  const before = term[at - 1] ?? "_";
  const after = term[at + sought.length] ?? "_";
  const beginsPart = !/[a-zA-Z]/.test(before) || /[A-Z]/.test(term[at] ?? "");
  const endsPart = !/[a-z]/.test(after);
  return beginsPart && endsPart ? nearness.part : nearness.inside;
}

/** Finds a literal or a pattern in the texts themselves; trigrams say in which it is worth looking. */
export async function findInTexts(
  atom: Literal | Pattern,
  scopes: readonly Scope[],
  within: readonly Mask[],
  { isCased, reader }: { readonly isCased: boolean; readonly reader: ContentReader },
): Promise<Occurrences> {
  const matcher = matcherOf(atom, isCased);
  const run = atom.type === "literal" ? longestRun(atom.text) : undefined;
  const finder = atom.type === "literal" && isAscii(atom.text) ? new ByteFinder(atom.text, isCased) : undefined;
  const hits = scopes.map(emptyMask);
  const weights = hits.map((mask) => new Float32Array(mask.length));
  let having = 0;
  for (const [number, scope] of scopes.entries()) {
    const [mask, weight, around] = [hits[number], weights[number], within[number]];
    if (!mask || !weight || !around) continue;
    const inside = run ? keepWithRun(scope.segment, around, run, isCased) : around;
    const mark = (chunk: number): void => {
      having += 1 - (mask[chunk] ?? 0);
      mask[chunk] = 1;
      weight[chunk] = (weight[chunk] ?? 0) + 1;
    };
    for (const content of narrow(scope.segment, listContents(scope.segment, inside), matcher.required)) {
      const read = finder ? await reader.textOrBytes(scope, content) : await reader.text(scope, content);
      if (read === undefined) continue;
      const marking = { segment: scope.segment, content, inside, mark };
      if (typeof read !== "string") finder && markBytes(read, finder, marking);
      else if (atom.type === "literal") markLiterals(read, matcher, marking);
      else markMatches(read, matcher, marking);
    }
  }
  return { atom, hits, weights, having };
}

interface Run {
  readonly text: string;
  /** Whether something that is no word character stands before and behind it. */
  readonly begins: boolean;
  readonly ends: boolean;
}

/** Shorter ones are in too many words to rule much out. */
const shortestRun = 3;

/** The longest run of word characters in a literal: whatever has the literal has a term with it. */
function longestRun(text: string): Run | undefined {
  let longest: Run | undefined;
  for (const { 0: run, index } of text.matchAll(/[\w$\u0080-\uffff]+/g)) {
    if (run.length < shortestRun || run.length > longestWord || run.length <= (longest?.text.length ?? 0)) continue;
    longest = { text: run, begins: index > 0, ends: index + run.length < text.length };
  }
  return longest;
}

/** Of these chunks those that have a run of word characters, as the vocabulary knows. */
function keepWithRun({ terms, termLists }: Segment, around: Mask, { text, begins, ends }: Run, isCased: boolean): Mask {
  const mask = new Uint8Array(around.length);
  for (const term of terms.find(text, { isWhole: false, isCased, begins, ends })) {
    eachWithExtra(termLists, term, (chunk, extra) => {
      if (extra >= standsInText) mask[chunk] = around[chunk] ?? 0;
    });
  }
  return mask;
}

export interface Matcher {
  /** What each text with a match has in it. */
  readonly required: readonly string[];
  /** Every match as a pair of places, one after the other. */
  find(text: string): number[];
}

export function matcherOf(atom: Literal | Pattern, isCased: boolean): Matcher {
  if (atom.type === "literal") {
    const sought = isCased ? atom.text : foldText(atom.text);
    return { required: [atom.text], find: (text) => listPlaces(isCased ? text : foldText(text), sought) };
  }
  const pattern = compilePattern(atom.source, atom.flags);
  return { required: listRequired(atom.source, atom.flags), find: (text) => listMatches(pattern, text) };
}

function listPlaces(text: string, sought: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) places.push(at, at + sought.length);
  return places;
}

function listMatches(pattern: RE2JS, text: string): number[] {
  const places: number[] = [];
  const matcher = pattern.matcher(text);
  while (matcher.find()) places.push(matcher.start(), matcher.end());
  return places;
}

/** The place in a text where an atom is found first, at or behind `from` and before `to`. */
export function findFirst(atom: Literal | Pattern, isCased: boolean, text: string): number {
  return matcherOf(atom, isCased).find(text)[0] ?? -1;
}

/** Of these contents those that have every trigram of what is required. */
function narrow(
  { trigrams, trigramLists }: Segment,
  contents: readonly number[],
  required: readonly string[],
): readonly number[] {
  const wanted = [...new Set(required.flatMap(trigramsOf))];
  return keepWithTrigrams({ trigrams, lists: trigramLists }, contents, wanted);
}

interface Marking {
  readonly segment: Segment;
  readonly content: number;
  readonly inside: Mask;
  /** Called for each match in a chunk. */
  mark(chunk: number): void;
}

/** A literal lies in one line, and so in the chunk in which it begins: nothing else of the file need be looked at. */
function markBytes(bytes: Uint8Array, finder: ByteFinder, marking: Marking): void {
  const { start, end } = marking.segment.chunks;
  eachInside(marking, (chunk) => finder.count(bytes, start[chunk] ?? 0, end[chunk] ?? 0));
}

function markLiterals(text: string, matcher: Matcher, marking: Marking): void {
  const { from, to } = marking.segment.chunks;
  eachInside(marking, (chunk) => matcher.find(text.slice(from[chunk], to[chunk])).length / 2);
}

function eachInside({ segment, content, inside, mark }: Marking, count: (chunk: number) => number): void {
  const { firstChunks } = segment.contents;
  for (let chunk = firstChunks[content] ?? 0; chunk < (firstChunks[content + 1] ?? 0); chunk += 1) {
    if (inside[chunk] !== 1) continue;
    for (let left = count(chunk); left > 0; left -= 1) mark(chunk);
  }
}

/** Tells which chunks have which matches. Comments lie inside other chunks, and have only what lies wholly in them. */
function markMatches(text: string, matcher: Matcher, { segment, content, inside, mark }: Marking): void {
  const { contents, chunks } = segment;
  const first = contents.firstChunks[content] ?? 0;
  const end = contents.firstChunks[content + 1] ?? first;
  const places = matcher.find(text);
  for (let place = 0; place < places.length; place += 2) {
    const [from = 0, to = 0] = [places[place], places[place + 1]];
    for (let chunk = first; chunk < end; chunk += 1) {
      const [begins = 0, ends = 0] = [chunks.from[chunk], chunks.to[chunk]];
      const isInside = inside[chunk] === 1 && from >= begins && from < ends;
      if (isInside && (chunks.mode[chunk] !== 2 || to <= ends)) mark(chunk);
    }
  }
}
