import type { CodeFilters, CodeMode } from "../../domain/codeindex/model.ts";
import { findLanguage } from "../parse/languages.ts";
import { chunkKinds, countFacts, flagFacts, type WordFact, wordFacts } from "../parsed-file.ts";
import { endingOf, listEndings, modifiedBound, pathFilter, splitPhrases, splitWords } from "../query/filter-values.ts";
import { chunkModes } from "../segment/builder.ts";
import { eachIn } from "../segment/frozen-lists.ts";
import { countChunks, noCount, type Segment } from "../segment/segment.ts";
import type { Entry } from "../tree/entry.ts";
import type { FileHistory } from "../tree/history.ts";
import { intersect, type Mask, type Scope } from "./scope.ts";

/** A segment with the paths its contents have in a work tree. */
export interface Placed {
  readonly segment: Segment;
  readonly entries: readonly (readonly Entry[] | undefined)[];
}

interface FilterAsk {
  readonly filters: CodeFilters;
  readonly modes: readonly CodeMode[];
  readonly now: number;
  /** What git knows of a path; asked for only where a filter needs it. */
  historyOf(path: string): FileHistory | undefined;
}

/** Turns every filter into bytes over chunks, before anything is ranked; all of them have to hold. */
export function applyFilters(placed: readonly Placed[], ask: FilterAsk): Scope[] {
  const passes = entryFilter(ask);
  return placed.map(({ segment, entries }) => {
    const passing = passes
      ? entries.map((some) => {
          const left = some?.filter(passes);
          return left && left.length > 0 ? left : undefined;
        })
      : entries;
    const allowed = allowedIn(segment, passing, ask).slice();
    for (const narrow of chunkFilters(segment, ask.filters)) intersect(allowed, narrow);
    return { segment, entries: passing, allowed };
  });
}

/** Masks that were made lately, by what they depend on: the same filters are asked for again with every letter typed. */
const made = new WeakMap<object, Map<string, Mask>>();
const mostMade = 8;

function remember(owner: object, key: string, make: () => Mask): Mask {
  const known = made.get(owner) ?? new Map<string, Mask>();
  made.set(owner, known);
  const mask = known.get(key) ?? make();
  known.delete(key);
  known.set(key, mask);
  for (const oldest of known.keys()) {
    if (known.size <= mostMade) break;
    known.delete(oldest);
  }
  return mask;
}

/** The list of entries is another one as soon as any of them changes. */
const allowedIn = (segment: Segment, entries: Scope["entries"], ask: FilterAsk): Mask =>
  remember(entries, JSON.stringify([ask.modes, ask.filters.lang, ask.filters.import]), () =>
    allowChunks(segment, entries, ask),
  );

/** What is asked of a path and its history; undefined where nothing is. */
export function entryFilter({
  filters,
  now,
  historyOf,
}: Omit<FilterAsk, "modes">): ((entry: Pick<Entry, "path">) => boolean) | undefined {
  const tests: ((entry: Pick<Entry, "path">) => boolean)[] = [];
  const isCased = filters.caseFile === true;
  for (const given of [filters.path, filters.file]) {
    if (given === undefined) continue;
    const fits = pathFilter(given, isCased);
    tests.push(({ path }) => fits(path));
  }
  if (filters.ext !== undefined) {
    const endings = listEndings(filters.ext);
    tests.push(({ path }) => endings.includes(endingOf(path)));
  }
  if (filters.author !== undefined) {
    const names = splitPhrases(filters.author.toLowerCase());
    tests.push(({ path }) => {
      const authors = historyOf(path)?.authors ?? [];
      return authors.some((author) => names.some((name) => author.toLowerCase().includes(name)));
    });
  }
  const { churnMin } = filters;
  if (churnMin !== undefined) tests.push(({ path }) => (historyOf(path)?.churn ?? -1) >= churnMin);
  const bound = modifiedBound(filters, now);
  if (bound !== undefined) tests.push(({ path }) => (historyOf(path)?.modifiedAt ?? -1) >= bound);
  return tests.length === 0 ? undefined : (entry) => tests.every((test) => test(entry));
}

/** The chunks of contents that have a path, of the modes and languages asked for. */
function allowChunks(segment: Segment, entries: Scope["entries"], { filters, modes }: FilterAsk): Mask {
  const { contents, chunks } = segment;
  const wanted = chunkModes.map((mode) => modes.includes(mode));
  const languages = filters.lang === undefined ? undefined : splitWords(filters.lang).map(findLanguage);
  const importing = filters.import === undefined ? undefined : markImports(segment, filters.import);
  const mask = new Uint8Array(countChunks(segment));
  for (let content = 0; content < contents.keys.length; content += 1) {
    if (entries[content] === undefined || importing?.[content] === 0) continue;
    if (languages && !languages.some((language) => language === contents.languages[content])) continue;
    const end = contents.firstChunks[content + 1] ?? 0;
    for (let chunk = contents.firstChunks[content] ?? 0; chunk < end; chunk += 1) {
      if (wanted[chunks.mode[chunk] ?? 0]) mask[chunk] = 1;
    }
  }
  return mask;
}

function markImports(segment: Segment, given: string): Uint8Array {
  const marks = new Uint8Array(segment.contents.keys.length);
  for (const value of splitWords(given)) {
    for (const list of segment.imports.find(value, { isWhole: true, isCased: true })) {
      eachIn(segment.importLists, list, (content) => {
        marks[content] = 1;
      });
    }
  }
  return marks;
}

/** Facts whose values have to be the whole word, as it is written; of the others a part will do. */
export const exactFacts: ReadonlySet<WordFact> = new Set(["calls", "uses", "param"]);

function* chunkFilters(segment: Segment, filters: CodeFilters): Generator<Mask> {
  const { chunks } = segment;
  if (filters.type !== undefined) {
    const kinds = splitWords(filters.type);
    const isWanted = Uint8Array.from(chunkKinds, (kind) => (kinds.includes(kind) ? 1 : 0));
    yield remember(segment, `type ${filters.type}`, () =>
      markWhere(segment, (chunk) => isWanted[chunks.kind[chunk] ?? 0] === 1),
    );
  }
  for (const fact of wordFacts) {
    const given = [filters[fact], fact === "riskTag" ? filters.risk : undefined];
    for (const value of given) {
      if (value !== undefined)
        yield remember(segment, `${fact} ${value}`, () => markFact(segment, fact, splitWords(value)));
    }
  }
  if (filters.signature !== undefined) {
    const found = new Set(
      splitPhrases(filters.signature).flatMap((part) => segment.strings.find(part, { isWhole: false, isCased: true })),
    );
    yield markWhere(segment, (chunk) => found.has(chunks.signature[chunk] ?? -1));
  }
  for (const [place, count] of countFacts.entries()) {
    const least = filters[`${count}Min`];
    if (least === undefined) continue;
    yield markWhere(segment, (chunk) => {
      const value = chunks.counts[chunk * countFacts.length + place] ?? noCount;
      return value !== noCount && value >= least;
    });
  }
  for (const [place, flag] of flagFacts.entries()) {
    if (filters[flag] === true) yield markWhere(segment, (chunk) => (((chunks.flags[chunk] ?? 0) >> place) & 1) === 1);
  }
}

function markWhere(segment: Segment, isWanted: (chunk: number) => boolean): Mask {
  const mask = new Uint8Array(countChunks(segment));
  for (let chunk = 0; chunk < mask.length; chunk += 1) if (isWanted(chunk)) mask[chunk] = 1;
  return mask;
}

function markFact(segment: Segment, fact: WordFact, values: readonly string[]): Mask {
  const mask = new Uint8Array(countChunks(segment));
  const { facts } = segment;
  const number = wordFacts.indexOf(fact);
  const isExact = exactFacts.has(fact);
  const words = new Set(values.flatMap((value) => facts.words.find(value, { isWhole: isExact, isCased: isExact })));
  for (let entry = firstOf(facts.fact, number); facts.fact[entry] === number; entry += 1) {
    if (!words.has(facts.word[entry] ?? -1)) continue;
    eachIn(facts.lists, entry, (chunk) => {
      mask[chunk] = 1;
    });
  }
  return mask;
}

/** Where a value begins in an ascending list. */
function firstOf(sorted: Uint8Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
