import { weigh } from "./alikeness.ts";
import { CandidateFinder } from "./candidates.ts";
import type { OverlapDoc, OverlapMatch, OverlapQuery } from "./doc.ts";
import type { WeighedSide } from "./features.ts";
import { Inventory, type Known, toKnown } from "./inventory.ts";
import { judge, rate } from "./judge.ts";
import type { Prepared } from "./prepared.ts";
import { Readings } from "./readings.ts";
import { defaultSettings, type OverlapSettings } from "./settings.ts";
import { makeSpeller } from "./spelling.ts";
import { shippedWeights, type Weights } from "./weights.ts";
import { WordReader } from "./word-reader.ts";

interface SearchOptions {
  /** At most so many matches. */
  readonly limit?: number;
  /** Work that is not to be found, such as the planned row that is being started. */
  readonly skip?: (id: string) => boolean;
}

interface Ranked {
  readonly id: string;
  readonly score: number;
  /** Whether it reaches the warn floor. Who has the same title or ticket does, whatever the floor is. */
  readonly isShown: boolean;
  readonly sharesFile: boolean;
}

interface ScoreOptions<Doc> {
  /** The threshold in force, where it is not the one that was set. */
  readonly escalateThreshold?: number;
  /** Whether a piece of work is in the index just as it is here, so that its words need not be read again. */
  readonly isIndexed?: (doc: Doc) => boolean;
}

interface IndexOptions {
  readonly settings?: Partial<OverlapSettings>;
  readonly weights?: Weights;
}

type JudgeOne = (known: Known, prepared: Prepared) => OverlapMatch;

/** Places given up are put up with until there are this many, or as many as are in use. */
const leastGivenUp = 512;

/** Work that can be compared with what somebody is about to begin. Holds everything in memory, writes nothing. */
export class OverlapIndex {
  #settings: OverlapSettings;
  readonly #weights: Weights;
  readonly #reader = new WordReader();
  readonly #finder = new CandidateFinder();
  readonly #readings = new Readings();
  #inventory = new Inventory(this.#reader);

  constructor({ settings, weights = shippedWeights }: IndexOptions = {}) {
    this.#settings = { ...defaultSettings, ...settings };
    this.#weights = weights;
  }

  /** Goes by these figures from now on. */
  use(settings: OverlapSettings): void {
    this.#settings = settings;
  }

  get size(): number {
    return this.#inventory.size;
  }

  /** The published weights that scores come from; kept with each check, so that a verdict can be audited. */
  get version(): string {
    return this.#weights.version;
  }

  /** Adds a piece of work or replaces the one with its id. */
  put(doc: OverlapDoc): void {
    this.#inventory.put(toKnown(doc), this.#readings.ofFresh(doc, this.#inventory.numbering));
    this.#tidy();
  }

  /** Whether there was anything to remove. */
  remove(id: string): boolean {
    const isRemoved = this.#inventory.remove(id);
    this.#tidy();
    return isRemoved;
  }

  /** The work most like this, best first. What stays below the warn floor is tier `context`: shown, and no more. */
  search(query: OverlapQuery, { limit = this.#settings.maxMatches, skip }: SearchOptions = {}): OverlapMatch[] {
    return this.#asking(query, {}, ({ judgeOne, prepared }) => {
      const inventory = this.#inventory;
      const isWanted = (place: number): boolean => {
        const known = inventory.known(place);
        return known !== undefined && !skip?.(known.id);
      };
      const matches: OverlapMatch[] = [];
      for (const place of this.#finder.find(prepared, inventory, isWanted)) {
        const known = inventory.known(place);
        if (known) matches.push(judgeOne(known, inventory.prepared(place)));
      }
      return matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
    });
  }

  /** As `search`, for who only wants to know what to look at: no more than a score, without what follows from it. */
  rank(query: OverlapQuery, limit: number): Ranked[] {
    return this.#asking(query, {}, ({ prepared }) => {
      const inventory = this.#inventory;
      const side = { facts: query, prepared, weighed: weigh(prepared, inventory.vocabulary) };
      const bench = { vocabulary: inventory.vocabulary, weights: this.#weights };
      const ranked: Ranked[] = [];
      for (const place of this.#finder.find(prepared, inventory, (one) => inventory.known(one) !== undefined)) {
        const known = inventory.known(place);
        if (!known) continue;
        const { score, features } = rate(side, { facts: known, prepared: inventory.prepared(place) }, bench);
        const isShown = score >= this.#settings.warnFloor;
        ranked.push({ id: known.id, score, isShown, sharesFile: features.filesCosine !== 0 });
      }
      return ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
    });
  }

  /** Compares with work that need not be in the index, by what the index knows about words; in the order given. */
  score<Doc extends OverlapDoc>(
    query: OverlapQuery,
    docs: readonly Doc[],
    { escalateThreshold = this.#settings.escalateThreshold, isIndexed = () => false }: ScoreOptions<Doc> = {},
  ): { readonly doc: Doc; readonly match: OverlapMatch }[] {
    const inventory = this.#inventory;
    const readings = docs.map(
      (doc) =>
        (isIndexed(doc) ? inventory.find(doc.id) : undefined) ?? this.#readings.ofFresh(doc, inventory.numbering),
    );
    const settings = { ...this.#settings, escalateThreshold };
    return this.#asking(query, { settings }, ({ judgeOne }) =>
      readings.flatMap((prepared, at) => {
        const doc = docs[at];
        return doc ? [{ doc, match: judgeOne(toKnown(doc), prepared) }] : [];
      }),
    );
  }

  /** Prepares a query, and forgets afterwards what only the query brought along. */
  #asking<T>(
    query: OverlapQuery,
    { settings = this.#settings }: { settings?: OverlapSettings },
    answer: (asked: { readonly judgeOne: JudgeOne; readonly prepared: Prepared }) => T,
  ): T {
    const { numbering, vocabulary } = this.#inventory;
    const bench = { vocabulary, weights: this.#weights, settings };
    const mark = vocabulary.length;
    const prepared = this.#readings.ofQuery(query, numbering);
    let side: WeighedSide | undefined;
    let spell: ((term: string) => string) | undefined;
    const judgeOne: JudgeOne = (known, other) => {
      side ??= { facts: query, prepared, weighed: weigh(prepared, vocabulary) };
      spell ??= makeSpeller(query, this.#reader);
      return judge(side, { ...known, facts: known, prepared: other }, spell, bench);
    };
    try {
      return answer({ judgeOne, prepared });
    } finally {
      vocabulary.cutTo(mark);
    }
  }

  #tidy(): void {
    const { places, size } = this.#inventory;
    if (places - size > Math.max(leastGivenUp, size)) this.#inventory = this.#inventory.compact();
  }
}
