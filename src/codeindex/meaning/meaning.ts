import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { CodeMode } from "../../domain/codeindex/model.ts";
import type { Query } from "../query/grammar.ts";
import { listChunks, type Mask, type Scope } from "../search/scope.ts";
import type { Ranked } from "../search/top-list.ts";
import { chunkModes } from "../segment/builder.ts";
import { docOf } from "../segment/doc-of.ts";
import { fuse, fusedDepth } from "./fuse.ts";
import { VectorBook } from "./vector-book.ts";
import type { Vectors } from "./vectors.ts";

/** What a model reads of a chunk: more is cut off by the model itself. */
const longestText = 2_000;
const textsAtOnce = 16;
/** So long a search waits for vectors that are not there yet; the others follow behind it. */
const usualPatienceMs = 3_000;

interface MeaningAsk {
  readonly query: Query;
  /** What was asked for, as it was written. */
  readonly text: string;
  readonly scopes: readonly Scope[];
  /** For each scope the chunks that the words ask for. */
  readonly masks: readonly Mask[];
  readText(scope: Scope, chunk: number): string | undefined;
}

/** What finds meaning, and where it keeps the vectors of a repository. */
export interface MeaningIn {
  readonly meaning: Meaning;
  readonly folder: string;
  /** Whoever has cancelled a search waits for no more vectors, and none are made behind it. */
  readonly signal: AbortSignal;
}

interface Rankings {
  readonly lists: ReadonlyMap<string, readonly Ranked[]>;
  readonly total: number;
}

/** Puts what was found by words and what means the same into one order. */
export async function rankByMeaning(
  byWords: Rankings,
  ask: MeaningAsk,
  { meaning, folder, signal }: MeaningIn,
): Promise<Rankings & { readonly missing: number }> {
  if (ask.query.type === "all") return { ...byWords, missing: 0 };
  const near = await meaning.rank(ask, { folder, signal });
  const lists = new Map<string, readonly Ranked[]>();
  let total = byWords.total;
  for (const [mode, words] of byWords.lists) {
    const fused = fuse(words, near.lists.get(mode) ?? []);
    total += fused.length - words.length;
    lists.set(mode, fused);
  }
  return { lists, total, missing: near.missing };
}

interface NearChunks {
  readonly lists: ReadonlyMap<string, readonly Ranked[]>;
  /** Chunks that have no vector yet. */
  readonly missing: number;
}

interface Wanted {
  readonly key: string;
  readonly scope: Scope;
  readonly chunk: number;
}

/** Finds the chunks that mean the same as a query. Vectors are made once for each content, whatever paths it has. */
export class Meaning {
  readonly #vectors: Vectors;
  readonly #patienceMs: number;
  readonly #books = new Map<string, Promise<VectorBook>>();
  /** Texts are embedded for one search after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(vectors: Vectors) {
    this.#vectors = vectors;
    this.#patienceMs = vectors.patienceMs ?? usualPatienceMs;
  }

  readonly findModel: Vectors["findModel"] = () => this.#vectors.findModel();

  async rank(ask: MeaningAsk, { folder, signal }: Omit<MeaningIn, "meaning">): Promise<NearChunks> {
    const model = await this.findModel();
    const book = await this.#bookOf(join(folder, `vectors-${shortOf(model?.id ?? "")}.bin`));
    const [sought] = await this.#embed([ask.text]);
    const candidates = listCandidates(ask);
    const wanted = candidates.filter(({ key }) => book.get(key) === undefined);
    let left = wanted.length;
    const filling = this.#fill(book, wanted, { ...ask, signal }, (done) => {
      left -= done;
    });
    // Behind the answer nobody is left to hear of a failure; the next search meets it again.
    filling.catch(() => undefined);
    if (wanted.length > 0) await Promise.race([filling, pause(this.#patienceMs)]);
    signal.throwIfAborted();
    const near = candidates.flatMap((one) => {
      const vector = book.get(one.key);
      return vector && sought ? [{ ...one, score: dot(sought, vector) }] : [];
    });
    near.sort((one, other) => other.score - one.score);
    return { lists: byMode(near), missing: left };
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Nothing is kept in a folder any more: what is made behind an answer ends, and what was kept is forgotten. */
  async forget(folder: string): Promise<void> {
    for (const [path, book] of this.#books) {
      if (dirname(path) !== folder) continue;
      this.#books.delete(path);
      await (await book).abandon();
    }
  }

  #bookOf(path: string): Promise<VectorBook> {
    const known = this.#books.get(path);
    if (known) return known;
    const book = VectorBook.open(path);
    this.#books.set(path, book);
    return book;
  }

  async #fill(
    book: VectorBook,
    wanted: readonly Wanted[],
    ask: Pick<MeaningAsk, "readText"> & { readonly signal: AbortSignal },
    tell: (done: number) => void,
  ): Promise<void> {
    const isOver = (): boolean => this.#isClosed || book.isAbandoned || ask.signal.aborted;
    for (let at = 0; at < wanted.length && !isOver(); at += textsAtOnce) {
      const some = wanted.slice(at, at + textsAtOnce);
      const fresh = some.filter(({ key }) => book.get(key) === undefined);
      const texts = fresh.map(({ scope, chunk }) => textOf(scope, chunk, ask.readText(scope, chunk) ?? ""));
      const vectors = texts.length === 0 ? [] : await this.#embed(texts);
      await book.add(fresh.flatMap(({ key }, place) => (vectors[place] ? [[key, vectors[place]] as const] : [])));
      tell(some.length);
    }
  }

  #embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const turn = this.#turn.then(() => this.#vectors.embed(texts));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

/**
 * What may be near: everything that filters allow, where only plain words were asked for. A phrase, a pattern, an operator or
 * a negation is meant strictly, so only what fits is brought into another order.
 */
function listCandidates({ query, scopes, masks }: MeaningAsk): Wanted[] {
  const isLoose = query.type === "plain" || listParts(query).every(isPlainWord);
  return scopes.flatMap((scope, number) => {
    const { contents, chunks } = scope.segment;
    const mask = isLoose ? scope.allowed : (masks[number] ?? scope.allowed);
    return [...listChunks(mask)].flatMap((chunk) => {
      const content = chunks.content[chunk] ?? 0;
      if (!scope.entries[content]) return [];
      const key = `${contents.keys[content]}@${chunks.start[chunk]}-${chunks.end[chunk]}-${chunks.mode[chunk]}`;
      return [{ key, scope, chunk }];
    });
  });
}

const listParts = (query: Query): readonly Query[] => (query.type === "and" ? query.parts : [query]);

/** A word, or what a dictionary made of one. */
const isPlainWord = (query: Query): boolean =>
  query.type === "literal"
    ? !query.isQuoted
    : query.type === "or" && query.parts.some((part) => part.type === "literal" && part.worth !== undefined);

function textOf({ segment }: Scope, chunk: number, text: string): string {
  const { chunks, strings } = segment;
  const name = strings.at(chunks.name[chunk] ?? 0);
  const [from = 0, to = 0] = [chunks.from[chunk], chunks.to[chunk]];
  return `${name}\n${docOf(segment, chunk, text)}\n${text.slice(from, to)}`.trim().slice(0, longestText);
}

function byMode(near: readonly (Wanted & { readonly score: number })[]): Map<CodeMode, Ranked[]> {
  const lists = new Map<CodeMode, Ranked[]>(chunkModes.map((mode) => [mode, []]));
  for (const { scope, chunk, score } of near) {
    const { chunks } = scope.segment;
    const list = lists.get(chunkModes[chunks.mode[chunk] ?? 0] ?? "code") ?? [];
    if (list.length >= fusedDepth) continue;
    for (const entry of scope.entries[chunks.content[chunk] ?? 0] ?? []) list.push({ scope, chunk, entry, score });
  }
  return lists;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let place = 0; place < one.length; place += 1) sum += (one[place] ?? 0) * (other[place] ?? 0);
  return sum;
}

const shortOf = (modelId: string): string => createHash("sha256").update(modelId).digest("hex").slice(0, 16);

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());
