import type { CopiedFile, CopiedIndex, CopySelection, CopyWords } from "../../domain/codeindex/copied-model.ts";
import type { CodeFilters } from "../../domain/codeindex/model.ts";
import type { SearchAsk } from "../../domain/codeindex/port.ts";
import { findLanguage } from "../parse/languages.ts";
import { countFacts, flagFacts, wordFacts } from "../parsed-file.ts";
import { splitPhrases, splitWords } from "../query/filter-values.ts";
import { foldText } from "../query/fold.ts";
import type { Query } from "../query/grammar.ts";
import { listRequired } from "../query/pattern.ts";
import { entryFilter, exactFacts } from "../search/filters.ts";
import type { HistoryLook } from "../search/histories.ts";
import { stemsOf } from "../search/question.ts";

interface Selecting {
  readonly query: Query;
  readonly files: readonly CopiedFile[];
  readonly history: HistoryLook;
  /** Whether full-text search rules out what it can; else every text is looked at. */
  readonly isFullText: boolean;
}

/** What a copy is asked for: every filter, and of the query what full-text search can say beforehand. */
export function selectionOf(ask: SearchAsk, copy: CopiedIndex, under: Selecting): CopySelection {
  const { filters } = ask;
  return {
    modes: ask.modes,
    files: listFiles(ask, copy, under),
    kinds: filters.type === undefined ? undefined : splitWords(filters.type),
    facts: listFacts(filters, copy),
    signatures: filters.signature === undefined ? undefined : splitPhrases(filters.signature),
    counts: Object.fromEntries(
      countFacts.flatMap((count) => {
        const least = filters[`${count}Min`];
        return least === undefined ? [] : [[count, least]];
      }),
    ),
    flags: flagFacts.reduce((bits, flag, place) => bits | (filters[flag] === true ? 1 << place : 0), 0),
    words: under.isFullText ? wordsOf(under.query, copy) : undefined,
    stems: under.query.type === "plain" ? [...stemsOf(under.query).keys()] : undefined,
  };
}

/** The files that pass what is asked of files; undefined where nothing is. */
function listFiles(ask: SearchAsk, copy: CopiedIndex, { files, history }: Selecting): number[] | undefined {
  const { filters, now } = ask;
  const passes = entryFilter({ filters, now, historyOf: history.of });
  const languages = filters.lang === undefined ? undefined : splitWords(filters.lang).map(findLanguage);
  const importing = filters.import === undefined ? undefined : new Set(copy.filesImporting(splitWords(filters.import)));
  if (!passes && !languages && !importing) return undefined;
  return files
    .filter(
      (file) =>
        (passes?.(file) ?? true) &&
        (languages?.some((language) => language === file.lang) ?? true) &&
        (importing?.has(file.id) ?? true),
    )
    .map(({ id }) => id);
}

function listFacts(filters: CodeFilters, copy: CopiedIndex): CopySelection["facts"] {
  return wordFacts.flatMap((fact) =>
    [filters[fact], fact === "riskTag" ? filters.risk : undefined].flatMap((given) => {
      if (given === undefined) return [];
      const sought = splitWords(given);
      if (exactFacts.has(fact)) return [{ fact, values: sought }];
      const parts = sought.map(foldText);
      const values = copy.listValues(fact).filter((value) => parts.some((part) => foldText(value).includes(part)));
      return [{ fact, values }];
    }),
  );
}

/** What a chunk has to have for the query to fit; undefined where that can't be said by words. */
function wordsOf(query: Query, copy: CopiedIndex): CopyWords | undefined {
  switch (query.type) {
    case "literal":
      return wordsIn(query.text, copy);
    case "pattern":
      return joinAll(listRequired(query.source, query.flags).map((text) => wordsIn(text, copy)));
    case "and":
      return joinAll(query.parts.map((part) => wordsOf(part, copy)));
    case "or": {
      const parts = query.parts.map((part) => wordsOf(part, copy));
      const known = parts.filter((part) => part !== undefined);
      return known.length === parts.length ? { type: "or", parts: known } : undefined;
    }
    default:
      return undefined;
  }
}

/** Runs of plain letters lie in one word each, whatever stands around them. */
function wordsIn(text: string, copy: CopiedIndex): CopyWords | undefined {
  return joinAll(
    (text.match(/\w+/g) ?? []).map((run) => {
      const words = copy.wordsWith(run.toLowerCase());
      return words && { type: "any", words };
    }),
  );
}

function joinAll(parts: readonly (CopyWords | undefined)[]): CopyWords | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : { type: "and", parts: known };
}
