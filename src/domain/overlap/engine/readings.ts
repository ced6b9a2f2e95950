import type { OverlapDoc, OverlapQuery } from "./doc.ts";
import type { Numbering } from "./numbering.ts";
import { type Prepared, placeIn, type Reading, readWork, translate } from "./prepared.ts";

/** Calls that are under way at once ask about so many pieces of work. */
const mostKept = 64;

interface Kept {
  readonly work: OverlapQuery;
  readonly numbering: Numbering;
  readonly reading: Reading;
}

/** A query brings terms along that nothing else has: those from `mark` on, in their order. */
interface Asked extends Kept {
  readonly mark: number;
  readonly brought: readonly string[];
}

/**
 * To read the words of a piece of work is a tenth of a check, and the same ones are met again at once: a check asks twice
 * about its own, to find and to compare, and everybody who checks at that moment meets what others have just begun.
 */
export class Readings {
  readonly #asked = new Map<string, Asked>();
  readonly #fresh = new Map<string, Kept>();

  /** What somebody asks about; whoever asks cuts the vocabulary back afterwards. */
  ofQuery(query: OverlapQuery, numbering: Numbering): Prepared {
    const known = this.#asked.get(query.title);
    if (known && isStill(known, query, numbering)) {
      const { work, reading } = known;
      const here = work.repo === query.repo ? reading.prepared : placeIn(query.repo, reading, numbering.reader);
      return sayAgain(here, known);
    }
    const { vocabulary } = numbering;
    const mark = vocabulary.length;
    const reading = readWork(query, numbering, { isKept: false });
    const brought = Array.from({ length: vocabulary.length - mark }, (_, at) => vocabulary.term(mark + at));
    keep(this.#asked, query.title, { work: query, numbering, mark, brought, reading });
    return reading.prepared;
  }

  /** Work that is not in the index, or not as it is now, and soon will be; its terms stay. */
  ofFresh(doc: OverlapDoc, numbering: Numbering): Prepared {
    const known = this.#fresh.get(doc.id);
    if (known?.work.repo === doc.repo && isStill(known, doc, numbering)) return known.reading.prepared;
    const reading = readWork(doc, numbering, { isKept: true });
    keep(this.#fresh, doc.id, { work: doc, numbering, reading });
    return reading.prepared;
  }
}

function keep<Value>(shelf: Map<string, Value>, key: string, value: Value): void {
  shelf.delete(key);
  shelf.set(key, value);
  const [oldest] = shelf.keys();
  if (shelf.size > mostKept && oldest !== undefined) shelf.delete(oldest);
}

/** Its terms in the numbers of today. What came after `mark` was forgotten and may have another number by now. */
function sayAgain(prepared: Prepared, { numbering: { vocabulary }, mark, brought }: Asked): Prepared {
  const isSame = vocabulary.length === mark;
  const numbers = brought.map((term) => vocabulary.number(term));
  return isSame ? prepared : translate(prepared, (term) => numbers[term - mark] ?? term);
}

/** Whether the words are the same; which repository they are about is not said in them. */
const isStill = ({ work, numbering }: Kept, other: OverlapQuery, now: Numbering): boolean =>
  numbering === now &&
  work.title === other.title &&
  work.scope === other.scope &&
  work.description === other.description &&
  work.result === other.result &&
  work.files.length === other.files.length &&
  work.files.every((file, at) => other.files[at] === file);
