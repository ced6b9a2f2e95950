import { measureAlikeness } from "./alikeness.ts";
import { CandidateFinder, type Found } from "./candidates.ts";
import type { OverlapDoc, OverlapMatch, OverlapQuery } from "./doc.ts";
import { Postings } from "./postings.ts";
import { type Prepared, prepare, termOf, timesInBody, timesInTitle } from "./prepared.ts";
import { defaultSettings, type OverlapSettings } from "./settings.ts";
import { Shelf } from "./shelf.ts";
import { Vocabulary } from "./vocabulary.ts";
import { WordReader } from "./word-reader.ts";

export interface SearchOptions {
  /** At most so many matches; all that count are at or above the warn floor. */
  readonly limit?: number;
  /** Work that is not to be found, such as the planned row that is being started. */
  readonly skip?: (id: string) => boolean;
}

/** So many candidates are compared word by word. */
const mostCompared = 50;

/** Work that can be compared with what somebody is about to begin. Holds everything in memory, writes nothing. */
export class OverlapIndex {
  readonly #settings: OverlapSettings;
  readonly #reader = new WordReader();
  readonly #finder = new CandidateFinder();
  readonly #places = new Map<string, number>();
  readonly #docs: (Known | undefined)[] = [];
  readonly #vocabulary = new Vocabulary();
  readonly #postings = new Postings();
  readonly #shelf = new Shelf();
  #norms = new Float32Array(1_024);

  constructor(settings: Partial<OverlapSettings> = {}) {
    this.#settings = { ...defaultSettings, ...settings };
  }

  get size(): number {
    return this.#places.size;
  }

  /** Adds a piece of work or replaces the one with its id. */
  put(doc: OverlapDoc): void {
    this.remove(doc.id);
    const prepared = prepare(doc, this.#reader, this.#vocabulary);
    const place = this.#shelf.put(prepared);
    for (const { term, times } of listTerms(prepared)) {
      this.#postings.add(term, place, times);
      this.#vocabulary.recount(term, 1);
    }
    if (place === this.#norms.length) this.#norms = enlarge(this.#norms);
    this.#norms[place] = measureNorm(prepared, this.#vocabulary);
    this.#docs[place] = toKnown(doc);
    this.#places.set(doc.id, place);
    this.#vocabulary.resize(this.size);
  }

  /** Whether there was anything to remove. */
  remove(id: string): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    for (const { term } of listTerms(this.#shelf.take(place))) this.#vocabulary.recount(term, -1);
    this.#places.delete(id);
    this.#docs[place] = undefined;
    this.#vocabulary.resize(this.size);
    return true;
  }

  /** The work most like this, best first: whatever reaches the warn floor. */
  search(query: OverlapQuery, { limit = this.#settings.maxMatches, skip }: SearchOptions = {}): OverlapMatch[] {
    const mark = this.#vocabulary.length;
    const prepared = prepare(query, this.#reader, this.#vocabulary);
    const matches = this.#find(prepared, skip).map(({ place }) =>
      this.#compare(query, prepared, this.#docs[place] as Known, this.#shelf.take(place)),
    );
    this.#vocabulary.cutTo(mark);
    return matches
      .filter((match) => match.score >= this.#settings.warnFloor)
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  /** Compares with work that need not be in the index, by what the index knows about words. */
  score(query: OverlapQuery, doc: OverlapDoc): OverlapMatch {
    const mark = this.#vocabulary.length;
    const prepared = prepare(query, this.#reader, this.#vocabulary);
    const other = prepare(doc, this.#reader, this.#vocabulary);
    const match = this.#compare(query, prepared, toKnown(doc), other);
    this.#vocabulary.cutTo(mark);
    return match;
  }

  #find(query: Prepared, skip: SearchOptions["skip"]): Found[] {
    const found = this.#finder.find(query, {
      postings: this.#postings,
      vocabulary: this.#vocabulary,
      norms: this.#norms,
      places: this.#shelf.length,
    });
    return found
      .filter(({ place }) => {
        const doc = this.#docs[place];
        return doc !== undefined && !skip?.(doc.id);
      })
      .sort((a, b) => b.value - a.value)
      .slice(0, mostCompared);
  }

  #compare(_query: OverlapQuery, prepared: Prepared, doc: Known, other: Prepared): OverlapMatch {
    const { title, body, whole } = measureAlikeness(prepared, other, this.#vocabulary);
    const isIdentical = prepared.identity === other.identity;
    const score = isIdentical ? Math.max(0.95, whole) : whole;
    return {
      id: doc.id,
      score,
      tier: isIdentical ? "identical" : score >= this.#settings.escalateThreshold ? "escalate" : "shortlist",
      escalates: score >= this.#settings.escalateThreshold,
      suppressedBy: null,
      reasons: isIdentical ? ["Same title"] : [],
      features: { title, body, whole },
    };
  }
}

/** What is kept of a piece of work besides its words. */
type Known = Pick<
  OverlapDoc,
  "id" | "kind" | "action" | "component" | "repo" | "developerId" | "sessionId" | "status" | "at"
>;

const toKnown = ({ id, kind, action, component, repo, developerId, sessionId, status, at }: OverlapDoc): Known => ({
  id,
  kind,
  action,
  component,
  repo,
  developerId,
  sessionId,
  status,
  at,
});

function* listTerms({ words, identity, references, files }: Prepared): Generator<{ term: number; times: number }> {
  for (const word of words) yield { term: termOf(word), times: 2 * timesInTitle(word) + timesInBody(word) };
  yield { term: identity, times: 1 };
  for (const term of references) yield { term, times: 1 };
  for (const term of files) yield { term, times: 1 };
}

function measureNorm({ words }: Prepared, vocabulary: Vocabulary): number {
  let sum = 0;
  for (const word of words) {
    const times = 1 + Math.log(2 * timesInTitle(word) + timesInBody(word));
    sum += (times * vocabulary.shippedWeight(termOf(word))) ** 2;
  }
  return Math.sqrt(sum);
}

function enlarge(values: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(values.length * 2);
  larger.set(values);
  return larger;
}
