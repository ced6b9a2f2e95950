import { Postings } from "../../../search/postings.ts";
import { dampen, square } from "./alikeness.ts";
import type { OverlapDoc } from "./doc.ts";
import type { Facts } from "./features.ts";
import { Numbering } from "./numbering.ts";
import { type Prepared, termOf, timesInWhole, translate } from "./prepared.ts";
import { Shelf } from "./shelf.ts";
import type { WordReader } from "./word-reader.ts";
import { WorkVocabulary } from "./work-vocabulary.ts";

/** What is kept of a piece of work besides its words. */
export interface Known extends Facts {
  readonly id: string;
  readonly status: string;
}

/** The work itself and where each of its words occurs. A place is given up when its work changes, never used again. */
export class Inventory {
  readonly vocabulary = new WorkVocabulary();
  readonly numbering: Numbering;
  readonly postings = new Postings();
  readonly #shelf = new Shelf();
  readonly #known: (Known | undefined)[] = [];
  readonly #places = new Map<string, number>();
  #norms = new Float32Array(1_024);

  constructor(reader: WordReader) {
    this.numbering = new Numbering(reader, this.vocabulary);
  }

  get size(): number {
    return this.#places.size;
  }

  /** Places given out so far, those given up included. */
  get places(): number {
    return this.#shelf.length;
  }

  put(known: Known, prepared: Prepared): void {
    this.remove(known.id);
    const place = this.#shelf.put(prepared);
    visitTerms(prepared, (term, times) => {
      this.postings.add(term, place, times);
      this.vocabulary.recount(term, 1);
    });
    if (place === this.#norms.length) this.#norms = enlarge(this.#norms);
    this.#norms[place] = measureNorm(prepared, this.vocabulary);
    this.#known[place] = known;
    this.#places.set(known.id, place);
    this.vocabulary.resize(this.size);
  }

  remove(id: string): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    visitTerms(this.#shelf.take(place), (term) => this.vocabulary.recount(term, -1));
    this.#places.delete(id);
    this.#known[place] = undefined;
    this.vocabulary.resize(this.size);
    return true;
  }

  /** What lies at a place; undefined when it was given up. */
  known(place: number): Known | undefined {
    return this.#known[place];
  }

  prepared(place: number): Prepared {
    return this.#shelf.take(place);
  }

  find(id: string): Prepared | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#shelf.take(place);
  }

  /** The lengths of the vectors at all places, by shipped weights: they do not change with what else is put in. */
  get norms(): Float32Array {
    return this.#norms;
  }

  /** The same work in a fresh inventory, without places given up and terms that nobody uses any more. */
  compact(): Inventory {
    const fresh = new Inventory(this.numbering.reader);
    const renumber = (term: number): number => fresh.vocabulary.number(this.vocabulary.term(term));
    for (const place of this.#places.values()) {
      const known = this.#known[place];
      if (known) fresh.put(known, translate(this.#shelf.take(place), renumber));
    }
    return fresh;
  }
}

export const toKnown = (doc: OverlapDoc): Known => ({
  id: doc.id,
  status: doc.status,
  kind: doc.kind,
  action: doc.action,
  component: doc.component,
  repo: doc.repo,
  developerId: doc.developerId,
  sessionId: doc.sessionId,
  at: doc.at,
});

function visitTerms(
  { words, identity, references, files }: Prepared,
  visit: (term: number, times: number) => void,
): void {
  for (const word of words) visit(termOf(word), timesInWhole(word));
  visit(identity, 1);
  for (const term of references) visit(term, 1);
  for (const term of files) visit(term, 1);
}

function measureNorm({ words }: Prepared, vocabulary: WorkVocabulary): number {
  let sum = 0;
  for (const word of words) sum += square(dampen(timesInWhole(word)) * vocabulary.shippedWeight(termOf(word)));
  return Math.sqrt(sum) || 1;
}

function enlarge(values: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(values.length * 2);
  larger.set(values);
  return larger;
}
