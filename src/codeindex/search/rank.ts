import { foldText } from "../query/fold.ts";
import type { Query } from "../query/grammar.ts";
import { chunkModes } from "../segment/builder.ts";
import { listStems } from "../segment/stems.ts";
import type { Entry } from "../tree/entry.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Mask, Scope } from "./scope.ts";
import { lengthNorms, saturate, weighRarity } from "./weighing.ts";

/** A chunk under one of its paths, with what it is worth. */
export interface Ranked {
  readonly scope: Scope;
  readonly chunk: number;
  readonly entry: Entry;
  readonly score: number;
}

/** What counts beside the words of a chunk. Chosen on issues of open-source projects and the files that fixed them. */
export const boosts = {
  /** The chunk defines what was sought. */
  definition: 1.5,
  /** Its file is named so. */
  fileName: 0.8,
  /** Another part of its path is. */
  folderName: 0.3,
  /** The rest of its file is about it, too. */
  file: 0.35,
  /** The same for a question in prose, which is rather about files: their best chunks, all their words, their path. */
  plainFile: 0.7,
  wholeFile: 0.6,
  pathStem: 0.7,
  folderStem: 0.2,
} as const;
export const fileDecay = [1, 0.3, 0.15];

interface Ranking {
  readonly lists: ReadonlyMap<string, readonly Ranked[]>;
  readonly total: number;
}

/** Brings what was found in order, best first, at most `top` for each mode. */
export function rank(query: Query, evaluation: Evaluation, scopes: readonly Scope[], top: number): Ranking {
  const { masks } = evaluation;
  const sought = listWords(query, evaluation);
  const plain = evaluation.plainScores;
  const scores = plain?.chunks ?? scoreWords(evaluation, scopes);
  const fileBoost = plain ? boosts.plainFile : boosts.file;
  const lists = new Map(chunkModes.map((mode) => [mode as string, new TopList(top)]));
  let total = 0;
  for (const [number, scope] of scopes.entries()) {
    const [mask, score] = [masks[number], scores[number]];
    if (!mask || !score) continue;
    addDefinitions(scope, mask, score, sought);
    const files = scoreFiles(scope, mask, score);
    const whole = plain?.files[number];
    const named = new Map<Entry, number>();
    for (let chunk = 0; chunk < mask.length; chunk += 1) {
      if (mask[chunk] !== 1) continue;
      const content = scope.segment.chunks.content[chunk] ?? 0;
      const list = lists.get(chunkModes[scope.segment.chunks.mode[chunk] ?? 0] ?? "code");
      for (const entry of scope.entries[content] ?? []) {
        total += 1;
        const name = named.get(entry) ?? scorePath(entry, sought) + (plain ? scorePathStems(entry, plain.stems) : 0);
        named.set(entry, name);
        const worth =
          (score[chunk] ?? 0) + fileBoost * (files[content] ?? 0) + boosts.wholeFile * (whole?.[content] ?? 0) + name;
        list?.add({ scope, chunk, entry, score: worth });
      }
    }
  }
  return { lists: new Map([...lists].map(([mode, list]) => [mode, list.items()])), total };
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
  return occurrences.flatMap(({ atom }) => (atom.type === "literal" ? [{ word: foldText(atom.text), worth: 4 }] : []));
}

/** A word that nobody writes in prose: parts joined by capitals or underscores. */
const looksLikeCode = (word: string): boolean => /[a-z][A-Z]|_|[A-Z]{2}[a-z]|^[A-Z]/.test(word);

function scoreWords({ occurrences, masks }: Evaluation, scopes: readonly Scope[]): Float32Array[] {
  const scores = scopes.map(({ allowed }) => new Float32Array(allowed.length));
  const norms = lengthNorms(scopes);
  for (const { weights } of occurrences) {
    const rarity = weighRarity(weights, scopes);
    for (const [number, weight] of weights.entries()) {
      const [score, norm, mask] = [scores[number], norms[number], masks[number]];
      if (!score || !norm || !mask) continue;
      for (let chunk = 0; chunk < weight.length; chunk += 1) {
        const found = weight[chunk] ?? 0;
        if (found > 0 && mask[chunk] === 1)
          score[chunk] = (score[chunk] ?? 0) + rarity * saturate(found, norm[chunk] ?? 1);
      }
    }
  }
  return scores;
}

function addDefinitions({ segment }: Scope, mask: Mask, score: Float32Array, sought: readonly Sought[]): void {
  const worth = new Map<number, number>();
  for (const { word, worth: value } of sought) {
    for (const name of segment.strings.find(word, { isWhole: true, isCased: false })) worth.set(name, value);
  }
  if (worth.size === 0) return;
  for (let chunk = 0; chunk < mask.length; chunk += 1) {
    const value = mask[chunk] === 1 ? worth.get(segment.chunks.name[chunk] ?? 0) : undefined;
    if (value !== undefined) score[chunk] = (score[chunk] ?? 0) + boosts.definition * value;
  }
}

/** What a file as a whole is worth: its best chunks, each counting less than the one before. */
function scoreFiles({ segment }: Scope, mask: Mask, score: Float32Array): Float32Array {
  const files = new Float32Array(segment.contents.keys.length);
  const { firstChunks } = segment.contents;
  for (let content = 0; content < files.length; content += 1) {
    let [first, second, third] = [0, 0, 0];
    for (let chunk = firstChunks[content] ?? 0; chunk < (firstChunks[content + 1] ?? 0); chunk += 1) {
      const value = mask[chunk] === 1 ? (score[chunk] ?? 0) : 0;
      if (value > first) [first, second, third] = [value, first, second];
      else if (value > second) [second, third] = [value, second];
      else if (value > third) third = value;
    }
    files[content] = first * (fileDecay[0] ?? 0) + second * (fileDecay[1] ?? 0) + third * (fileDecay[2] ?? 0);
  }
  return files;
}

export function scorePath({ path }: Pick<Entry, "path">, sought: readonly Sought[]): number {
  if (sought.length === 0) return 0;
  const folded = foldText(path);
  const name = folded.slice(folded.lastIndexOf("/") + 1);
  const stem = name.replace(/\.[^.]*$/, "");
  let score = 0;
  for (const { word, worth } of sought) {
    if (stem === word) score += boosts.fileName * worth;
    else if (word.length > 3 && folded.includes(word)) score += boosts.folderName * worth;
  }
  return score;
}

const pathStems = new WeakMap<Entry, { readonly name: readonly string[]; readonly folders: readonly string[] }>();

/** How much of the question stands in the path. A path is taken apart once. */
function scorePathStems(entry: Entry, stems: ReadonlyMap<string, number>): number {
  const known = pathStems.get(entry) ?? readPathStems(entry.path);
  pathStems.set(entry, known);
  let score = 0;
  for (const stem of known.name) score += boosts.pathStem * (stems.get(stem) ?? 0);
  for (const stem of known.folders) score += boosts.folderStem * (stems.get(stem) ?? 0);
  return score;
}

function readPathStems(path: string) {
  const parts = path.replace(/\.[^./]*$/, "").split("/");
  const name = listStems(parts.at(-1) ?? "");
  const folders = new Set(parts.slice(0, -1).flatMap(listStems));
  return { name, folders: [...folders].filter((stem) => !name.includes(stem)) };
}

/** The best of many, without sorting them all. */
class TopList {
  readonly #most: number;
  #items: Ranked[] = [];
  #least = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  add(item: Ranked): void {
    if (item.score < this.#least) return;
    this.#items.push(item);
    if (this.#items.length >= this.#most * 4 + 64) this.#cut();
  }

  items(): readonly Ranked[] {
    this.#cut();
    return this.#items;
  }

  #cut(): void {
    this.#items = this.#items.sort(compare).slice(0, this.#most);
    if (this.#items.length === this.#most) this.#least = this.#items.at(-1)?.score ?? this.#least;
  }
}

function compare(one: Ranked, other: Ranked): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.entry.path !== other.entry.path) return one.entry.path < other.entry.path ? -1 : 1;
  return startOf(one) - startOf(other);
}

const startOf = ({ scope, chunk }: Ranked): number => scope.segment.chunks.start[chunk] ?? 0;
