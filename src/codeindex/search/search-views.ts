import { setImmediate as nextTurn } from "node:timers/promises";
import type { CodeHit, CodeMode, SearchWarning } from "../../domain/codeindex/model.ts";
import type { SearchAsk } from "../../domain/codeindex/port.ts";
import { fusedDepth } from "../meaning/fuse.ts";
import { type MeaningIn, rankByMeaning } from "../meaning/meaning.ts";
import type { Query } from "../query/grammar.ts";
import type { Segment } from "../segment/segment.ts";
import type { Texts } from "../texts.ts";
import type { Entry } from "../tree/entry.ts";
import { TreeReader } from "../tree/read-file.ts";
import type { View } from "../tree/view.ts";
import { checkFilters } from "./check-filters.ts";
import { keepChunksBy } from "./chunk-authors.ts";
import { evaluate } from "./evaluate.ts";
import { applyFilters, type Placed } from "./filters.ts";
import type { HistoryLook } from "./histories.ts";
import { makeHit } from "./hits.ts";
import type { ContentReader } from "./literals.ts";
import { rank } from "./rank.ts";
import type { Scope } from "./scope.ts";

interface Searched {
  /** What was asked for, and what its words also stand for. */
  readonly query: Query;
  readonly segments: readonly Segment[];
  readonly views: readonly View[];
  readonly texts: Texts;
  /** Whether every file was looked at just now; else hits are compared with the disk before they are shown. */
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
  readonly history: HistoryLook;
  /** Where it is also looked for what means the same. */
  readonly meaning: MeaningIn | undefined;
}

interface FoundHits {
  readonly hits: Partial<Record<CodeMode, CodeHit[]>>;
  readonly total: number;
  readonly warnings: SearchWarning[];
  /** Files that turned out to have changed while they were searched. */
  readonly hasMoved: boolean;
}

const turnMs = 8;

/** Answers a query from what the views hold. */
export async function searchViews(ask: SearchAsk, under: Searched): Promise<FoundHits> {
  const { query } = under;
  const { filters } = ask;
  const warnings: SearchWarning[] = [];
  const views = under.views.filter(
    (view) => !ask.isNothing && (filters.branch === undefined || view.branch === filters.branch),
  );
  if (!ask.isNothing && views.length === 0) warnings.push(otherBranch);
  const owners = new Map<Entry, View[]>();
  const placed = placeAll(under.segments, views, owners);
  checkFilters(filters, listLanguages(placed));
  const historyOf = under.history.of;
  const passing = applyFilters(placed, { filters, modes: ask.modes, now: ask.now, historyOf });
  const { scopes, warning } =
    filters.chunkAuthor === undefined
      ? { scopes: passing, warning: undefined }
      : await keepChunksBy(filters.chunkAuthor, passing, { look: under.history, signal: under.signal });
  if (warning) warnings.push(warning);
  const isCased = filters.caseTokens === true;
  let hasMoved = false;
  let turnEnds = performance.now() + turnMs;
  const readers = new Map(views.map((view) => [view, new TreeReader(view.root, view.folders)]));
  const nowhere = new TreeReader("");
  const readerOf = (entry: Entry): TreeReader => {
    const view = owners.get(entry)?.[0] ?? views[0];
    return (view && readers.get(view)) ?? nowhere;
  };
  const inTurn = async <T>(entry: Entry | undefined, read: (entry: Entry) => T | undefined): Promise<T | undefined> => {
    if (performance.now() > turnEnds) {
      await nextTurn();
      under.signal.throwIfAborted();
      turnEnds = performance.now() + turnMs;
    }
    const found = entry && read(entry);
    if (found === undefined) hasMoved = true;
    return found;
  };
  const { texts } = under;
  const reader: ContentReader = {
    text: ({ entries }, content) => inTurn(entries[content]?.[0], (entry) => texts.read(readerOf(entry), entry)),
    textOrBytes: ({ entries, segment }, content) =>
      inTurn(entries[content]?.[0], (entry) => {
        const isPlain = segment.contents.encodings[content] === "utf-8";
        return isPlain ? (texts.find(entry) ?? texts.peek(readerOf(entry), entry)) : texts.read(readerOf(entry), entry);
      }),
  };
  const evaluation = await evaluate(query, scopes, { isCased, reader });
  const found = rank(query, evaluation, scopes, under.meaning ? Math.max(ask.top, fusedDepth) : ask.top);
  const readNow = ({ entries, segment }: Scope, chunk: number): string | undefined => {
    const entry = entries[segment.chunks.content[chunk] ?? 0]?.[0];
    return entry && under.texts.read(readerOf(entry), entry);
  };
  const asked = { query, text: ask.query, scopes, masks: evaluation.masks, readText: readNow };
  const ranking = under.meaning ? await rankByMeaning(found, asked, under.meaning) : { ...found, missing: 0 };
  if (ranking.missing > 0) warnings.push(incomplete(ranking.missing));
  const hits: Partial<Record<CodeMode, CodeHit[]>> = {};
  let lost = 0;
  for (const mode of ask.modes) {
    const list: CodeHit[] = [];
    for (const ranked of (ranking.lists.get(mode) ?? []).slice(0, ask.top)) {
      const reader = readerOf(ranked.entry);
      const text = under.isFresh ? under.texts.read(reader, ranked.entry) : under.texts.readNow(reader, ranked.entry);
      if (text === undefined) {
        hasMoved = true;
        lost += 1;
        continue;
      }
      const { contextLines, isFull } = ask;
      const hit = makeHit(ranked, text, { query, isCased, contextLines, isFull, historyOf });
      list.push(ask.isEverywhere ? { ...hit, ...whereabouts(owners.get(ranked.entry) ?? views) } : hit);
    }
    hits[mode] = list;
  }
  return { hits, total: ranking.total - lost, warnings, hasMoved };
}

const otherBranch: SearchWarning = {
  code: "branch_mismatch",
  message: "Another branch is checked out, so nothing was searched. Check out that branch, or leave `branch` out.",
};

const incomplete = (count: number): SearchWarning => ({
  code: "vectors_incomplete",
  message: `${count} chunks have no vector yet and were searched by words only. They follow; search again later.`,
});

/** Gathers what the views hold. The same content under the same path is one thing, wherever it lies. */
function placeAll(segments: readonly Segment[], views: readonly View[], owners: Map<Entry, View[]>): Placed[] {
  const [only] = views;
  if (views.length === 1 && only) return segments.map((segment) => ({ segment, entries: only.placedIn(segment) }));
  return segments.map((segment) => {
    const entries: Entry[][] = [];
    for (const view of views) {
      for (const [content, some] of view.placedIn(segment).entries()) {
        const list = entries[content] ?? [];
        if (some) entries[content] = list;
        for (const entry of some ?? []) {
          const same = list.find((one) => one.raw === entry.raw);
          if (same) owners.get(same)?.push(view);
          else {
            list.push(entry);
            owners.set(entry, [view]);
          }
        }
      }
    }
    return { segment, entries };
  });
}

function whereabouts(views: readonly View[]): Pick<CodeHit, "worktree" | "branch" | "alsoIn"> {
  const [first, ...others] = views;
  if (!first) return {};
  return {
    worktree: first.root,
    branch: first.branch,
    ...(others.length > 0 && { alsoIn: others.map(({ root }) => root) }),
  };
}

function listLanguages(placed: readonly Placed[]): Set<string> {
  const languages = new Set<string>();
  for (const { segment, entries } of placed) {
    for (const [content, some] of entries.entries())
      if (some) languages.add(segment.contents.languages[content] ?? "text");
  }
  return languages;
}
