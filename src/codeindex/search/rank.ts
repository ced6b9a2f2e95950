import { foldText } from "../query/fold.ts";
import { type Query, worthOf } from "../query/grammar.ts";
import { chunkModes } from "../segment/builder.ts";
import type { Entry } from "../tree/entry.ts";
import type { Evaluation } from "./evaluate.ts";
import { bestOf, eachFile, joinBest } from "./files-of-chunks.ts";
import { nameOf } from "./path-parts.ts";
import { rankQuestion } from "./rank-question.ts";
import { listChunks, type Scope } from "./scope.ts";
import { type Ranked, TopList } from "./top-list.ts";
import { averageLengths, saturate, weighRarity } from "./weighing.ts";

/** What counts beside the words of a chunk. */
export const boosts = {
  /** The chunk defines what was sought. */
  definition: 1.5,
  /** Its file is named so. */
  fileName: 0.8,
  /** Another part of its path is. */
  folderName: 0.3,
  /** The rest of its file is about it, too. */
  file: 0.35,
} as const;

interface Ranking {
  readonly lists: ReadonlyMap<string, readonly Ranked[]>;
  readonly total: number;
}

/** Brings what was found in order, best first, at most `top` for each mode. */
export function rank(query: Query, evaluation: Evaluation, scopes: readonly Scope[], top: number): Ranking {
  const sought = listWords(query, evaluation);
  const found = scopes.map((_, number) => listChunks(evaluation.masks[number] ?? new Uint8Array()));
  const lists = chunkModes.map(() => new TopList(top));
  const { plainScores } = evaluation;
  const total =
    query.type === "plain" && plainScores
      ? rankQuestion(lists, { text: query.text, scopes, found, scores: plainScores }, (number, here, score) => {
          for (const scope of scopes.slice(number, number + 1)) addDefinitions(scope, here, score, sought);
        })
      : rankWords(lists, { evaluation, scopes, found, sought });
  return { lists: new Map(chunkModes.map((mode, number) => [mode, lists[number]?.items() ?? []])), total };
}

interface FoundWords {
  readonly evaluation: Evaluation;
  readonly scopes: readonly Scope[];
  /** For each scope the chunks that were found. */
  readonly found: readonly Uint32Array[];
  readonly sought: readonly Sought[];
}

/** Fills the lists, one for each mode, and says how many there are to fill them with. */
function rankWords(lists: readonly TopList[], { evaluation, scopes, found, sought }: FoundWords): number {
  const average = averageLengths(scopes).chunk;
  let total = 0;
  for (const [number, scope] of scopes.entries()) {
    const here = found[number] ?? new Uint32Array();
    const score = scoreWords(evaluation, { scopes, number, found: here, average });
    addDefinitions(scope, here, score, sought);
    eachFile(scope, here, (content, from, to) => {
      const best = bestOf(score, here, from, to);
      for (const entry of scope.entries[content] ?? []) {
        total += to - from;
        const beside = boosts.file * joinBest(best) + scorePath(entry, sought);
        for (let at = from; at < to; at += 1) {
          const chunk = here[at] ?? 0;
          const worth = (score[chunk] ?? 0) + beside;
          const list = lists[scope.segment.chunks.mode[chunk] ?? 0];
          if (list?.mayTake(worth)) list.add({ scope, chunk, entry, score: worth });
        }
      }
    });
  }
  return total;
}

interface Sought {
  /** In small letters. */
  readonly word: string;
  readonly worth: number;
}

/** The words that names of definitions and files are compared with. */
function listWords(query: Query, { occurrences }: Evaluation): Sought[] {
  if (query.type === "plain") {
    const words = [...new Set(query.text.match(/[A-Za-z_$][\w$]{2,}/g) ?? [])].filter(looksLikeCode);
    return words.slice(0, 64).map((word) => ({ word: foldText(word), worth: 4 }));
  }
  return occurrences.flatMap(({ atom }) =>
    atom.type === "literal" ? [{ word: foldText(atom.text), worth: 4 * worthOf(atom) }] : [],
  );
}

/** A word that nobody writes in prose: parts joined by capitals or underscores. */
const looksLikeCode = (word: string): boolean => /[a-z][A-Z]|_|[A-Z]{2}[a-z]|^[A-Z]/.test(word);

interface Found {
  readonly scopes: readonly Scope[];
  readonly number: number;
  readonly found: Uint32Array;
  readonly average: number;
}

function scoreWords({ occurrences }: Evaluation, { scopes, number, found, average }: Found): Float32Array {
  const lengths = scopes[number]?.segment.chunks.length ?? new Uint32Array();
  const all = scopes.reduce((sum, { allowed }) => sum + allowed.length, 0);
  const scores = new Float32Array(lengths.length);
  for (const { atom, weights, having } of occurrences) {
    const weight = weights[number] ?? scores;
    const rarity = weighRarity(having, all) * worthOf(atom);
    for (let at = 0; at < found.length; at += 1) {
      const chunk = found[at] ?? 0;
      const times = weight[chunk] ?? 0;
      if (times > 0) scores[chunk] = (scores[chunk] ?? 0) + rarity * saturate(times, lengths[chunk] ?? 0, average);
    }
  }
  return scores;
}

function addDefinitions({ segment }: Scope, found: Uint32Array, score: Float32Array, sought: readonly Sought[]): void {
  if (found.length === 0) return;
  const worth = new Map<number, number>();
  for (const { word, worth: value } of sought) {
    for (const name of segment.strings.find(word, { isWhole: true, isCased: false })) worth.set(name, value);
  }
  if (worth.size === 0) return;
  for (let at = 0; at < found.length; at += 1) {
    const chunk = found[at] ?? 0;
    const value = worth.get(segment.chunks.name[chunk] ?? 0);
    if (value !== undefined) score[chunk] = (score[chunk] ?? 0) + boosts.definition * value;
  }
}

export function scorePath({ path }: Pick<Entry, "path">, sought: readonly Sought[]): number {
  if (sought.length === 0) return 0;
  const { folded, stem } = nameOf(path);
  let score = 0;
  for (const { word, worth } of sought) {
    if (stem === word) score += boosts.fileName * worth;
    else if (word.length > 3 && folded.includes(word)) score += boosts.folderName * worth;
  }
  return score;
}
