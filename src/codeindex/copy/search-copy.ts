import { setImmediate as nextTurn } from "node:timers/promises";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { CopiedFile, CopiedIndex, CopiedRow } from "../../domain/codeindex/copied-model.ts";
import type { CodeHit, CodeMode, SearchWarning } from "../../domain/codeindex/model.ts";
import type { Found, SearchAsk } from "../../domain/codeindex/port.ts";
import { splitPhrases } from "../query/filter-values.ts";
import { foldText } from "../query/fold.ts";
import { type Literal, listSought, type Pattern, type Query, worthOf } from "../query/grammar.ts";
import { checkFilters } from "../search/check-filters.ts";
import { fileDecay } from "../search/files-of-chunks.ts";
import type { HistoryLook } from "../search/histories.ts";
import { stemsOf } from "../search/question.ts";
import { boosts, scorePath } from "../search/rank.ts";
import { saturate } from "../search/weighing.ts";
import { listStems } from "../segment/stems.ts";
import type { View } from "../tree/view.ts";
import { copiedHit } from "./copied-hit.ts";
import { rowTest } from "./match-row.ts";
import { selectionOf } from "./select-chunks.ts";

interface CopySearch {
  readonly ask: SearchAsk;
  readonly query: Query;
  readonly copy: CopiedIndex;
  /** The work tree as it is now, for what git knows of its files. */
  readonly view: View;
  readonly history: HistoryLook;
  readonly signal: AbortSignal;
}

/** Rows that are read and looked at before others get their turn. */
const rowsAtOnce = 200;

interface Match {
  readonly id: number;
  readonly mode: CodeMode;
  readonly file: CopiedFile;
  readonly start: number;
  readonly length: number;
  readonly isDefinition: boolean;
  readonly times: ReadonlyMap<string | Literal | Pattern, number>;
  score: number;
}

/** Answers a query from a copy: the copy applies the filters and rules out what it can, the rest is looked at here. */
export async function searchCopy(search: CopySearch): Promise<Pick<Found, "hits" | "total" | "warnings">> {
  const { ask, query, copy, view, history } = search;
  const isOther = ask.filters.branch !== undefined && view.branch !== ask.filters.branch;
  const files = copy.listFiles();
  checkFilters(ask.filters, new Set(files.map(({ lang }) => lang)));
  const matches = ask.isNothing || isOther ? [] : await findMatches(search, files);
  score(matches, query);
  matches.sort(compare);
  const hits: Partial<Record<CodeMode, CodeHit[]>> = {};
  const { contextLines, isFull } = ask;
  const isCased = ask.filters.caseTokens === true;
  for (const mode of ask.modes) {
    const best = matches.filter((match) => match.mode === mode).slice(0, ask.top);
    const rows = new Map(copy.read(best.map(({ id }) => id)).map((row) => [row.id, row]));
    hits[mode] = best.flatMap(({ id, file, score }) => {
      const row = rows.get(id);
      if (!row) return [];
      const options = { query, isCased, contextLines, isFull, historyOf: history.of };
      const hit = copiedHit({ row, file, score }, copy, options);
      return [ask.isEverywhere ? { ...hit, worktree: copy.meta["repo"] ?? view.root, branch: view.branch } : hit];
    });
  }
  const warnings = [...(isOther && !ask.isNothing ? [otherBranch] : []), ...listAbsent(ask, copy)];
  return { hits, total: matches.length, warnings };
}

/** A copy may hold only a part of the index: nothing of the rest can be found in it. */
function listAbsent({ modes }: SearchAsk, { meta }: CopiedIndex): SearchWarning[] {
  const held = meta["mode"] ?? "all";
  const isAbsent = (mode: CodeMode): boolean => held !== "all" && (held === "code") !== (mode === "code");
  const absent = modes.filter(isAbsent);
  if (absent.length === 0) return [];
  const message = `The SQLite copy has no ${absent.join(" and no ")}, so none was searched.`;
  if (absent.length === modes.length) throw new Refusal("NO_INDEX", message, nextStep("buildCopy"));
  return [{ code: "mode_missing", message }];
}

const otherBranch: SearchWarning = {
  code: "branch_mismatch",
  message: "Another branch is checked out, so nothing was searched. Check out that branch, or leave `branch` out.",
};

async function findMatches(search: CopySearch, files: readonly CopiedFile[]): Promise<Match[]> {
  const { ask, query, copy, history, signal } = search;
  const isCased = ask.filters.caseTokens === true;
  const isFullText = ask.backend === "sqlite-fts";
  const ids = copy.select(selectionOf(ask, copy, { query, files, history, isFullText }));
  const byId = new Map(files.map((file) => [file.id, file]));
  const test = rowTest(query, isCased);
  const names = new Set(listNames(query));
  const stems = query.type === "plain" ? stemsOf(query) : undefined;
  const isBy = authorTest(search);
  const matches: Match[] = [];
  for (let at = 0; at < ids.length; at += rowsAtOnce) {
    signal.throwIfAborted();
    for (const row of copy.read(ids.slice(at, at + rowsAtOnce))) {
      const file = byId.get(row.fileId);
      const times = stems ? countStems(row, stems) : test(row);
      if (!file || !times || !(await isBy(file, row))) continue;
      const { id, mode, start } = row;
      const isDefinition = row.name !== "" && names.has(foldText(row.name));
      matches.push({ id, mode, file, start, length: row.text.length, isDefinition, times, score: 0 });
    }
    await nextTurn();
  }
  return matches;
}

/** Whether a chunk has a line by whom `chunkAuthor` names; what is not committed as it is counts by the file's last author. */
function authorTest({
  ask,
  view,
  history,
}: CopySearch): (file: CopiedFile, row: CopiedRow) => boolean | Promise<boolean> {
  const { chunkAuthor } = ask.filters;
  if (chunkAuthor === undefined) return () => true;
  const names = splitPhrases(chunkAuthor.toLowerCase());
  const isOne = (author: string): boolean => names.some((name) => author.toLowerCase().includes(name));
  return async ({ path }, { startLine, endLine }) => {
    const authors = history.of(path)?.authors ?? [];
    if (!authors.some(isOne)) return false;
    const entry = view.entries.get(Buffer.from(path).toString("latin1"));
    const lines = entry && (await history.linesOf(entry));
    return lines ? lines.slice(startLine - 1, endLine).some(isOne) : isOne(authors[0] ?? "");
  };
}

/** Names that a definition may have, in small letters. */
const listNames = (query: Query): string[] =>
  listSought(query).flatMap((atom) => (atom.type === "literal" && worthOf(atom) === 1 ? [foldText(atom.text)] : []));

function countStems(row: CopiedRow, stems: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const word of `${row.text}\n${row.name}\n${row.signature}\n${row.header}`.match(/[\w$\u0080-\uffff]+/g) ?? []) {
    for (const stem of listStems(word)) if (stems.has(stem)) times.set(stem, (times.get(stem) ?? 0) + 1);
  }
  return times;
}

/** The same weighing as the index's own, with rarity among what was found. */
function score(matches: readonly Match[], query: Query): void {
  const having = new Map<unknown, number>();
  let length = 0;
  for (const match of matches) {
    length += match.length;
    for (const sought of match.times.keys()) having.set(sought, (having.get(sought) ?? 0) + 1);
  }
  const average = Math.max(1, length / Math.max(1, matches.length));
  const said = query.type === "plain" ? stemsOf(query) : undefined;
  const sought = listNames(query).map((word) => ({ word, worth: 4 }));
  const files = new Map<CopiedFile, number[]>();
  for (const match of matches) {
    for (const [one, times] of match.times) {
      const rarity = Math.log(1 + (matches.length + 1) / (having.get(one) ?? 1));
      const worth = typeof one === "string" ? (said?.get(one) ?? 1) : worthOf(one);
      match.score += rarity * worth * saturate(times, match.length, average);
    }
    if (match.isDefinition) match.score += boosts.definition * 4;
    files.set(match.file, [...(files.get(match.file) ?? []), match.score]);
  }
  const worth = new Map([...files].map(([file, scores]) => [file, worthOfFile(scores) + scorePath(file, sought)]));
  for (const match of matches) match.score += boosts.file * (worth.get(match.file) ?? 0);
}

const worthOfFile = (scores: readonly number[]): number =>
  scores
    .toSorted((one, other) => other - one)
    .slice(0, fileDecay.length)
    .reduce((sum, one, place) => sum + one * (fileDecay[place] ?? 0), 0);

function compare(one: Match, other: Match): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.file.path !== other.file.path) return one.file.path < other.file.path ? -1 : 1;
  return one.start - other.start;
}
