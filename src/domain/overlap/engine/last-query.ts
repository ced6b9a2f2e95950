import type { OverlapQuery } from "./doc.ts";
import type { Numbering } from "./numbering.ts";
import { type Prepared, prepare } from "./prepared.ts";

/** What a query looks like as numbers, and the terms that nothing else had brought along, in their order. */
interface Read {
  readonly query: OverlapQuery;
  readonly numbering: Numbering;
  readonly mark: number;
  readonly brought: readonly string[];
  readonly prepared: Prepared;
}

/** A check asks twice about the same work, to find and to compare, and to read its words is a tenth of both. */
export class LastQuery {
  #last: Read | undefined;

  /** As `prepare`; whoever asks cuts the vocabulary back afterwards. */
  prepare(query: OverlapQuery, numbering: Numbering): Prepared {
    const { vocabulary } = numbering;
    const mark = vocabulary.length;
    const last = this.#last;
    // A vocabulary of the same length knows the same terms, so those that were brought along get the same numbers.
    if (last && last.numbering === numbering && last.mark === mark && readsTheSame(last.query, query)) {
      for (const term of last.brought) vocabulary.number(term);
      return last.prepared;
    }
    const prepared = prepare(query, numbering, { isKept: false });
    const brought = Array.from({ length: vocabulary.length - mark }, (_, at) => vocabulary.term(mark + at));
    this.#last = { query, numbering, mark, brought, prepared };
    return prepared;
  }
}

const readsTheSame = (one: OverlapQuery, other: OverlapQuery): boolean =>
  one.title === other.title &&
  one.scope === other.scope &&
  one.description === other.description &&
  one.result === other.result &&
  one.repo === other.repo &&
  one.files.length === other.files.length &&
  one.files.every((file, at) => other.files[at] === file);
