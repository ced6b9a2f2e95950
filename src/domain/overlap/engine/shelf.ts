import { GrowingList } from "../../../search/growing-list.ts";
import type { Prepared } from "./prepared.ts";

const head = 6;

/** Prepared work, packed one after the other into a single list: no objects, no copies on reading. */
export class Shelf {
  readonly #packed = new GrowingList(16_384);
  readonly #starts = new GrowingList(1_024);

  /** How many pieces were ever put here; the place of the next one. */
  get length(): number {
    return this.#starts.length;
  }

  put({ words, title, references, files, identity, telling }: Prepared): number {
    this.#starts.push(this.#packed.length);
    for (const part of [words, title, references, files]) this.#packed.push(part.length);
    this.#packed.push(identity);
    this.#packed.push(telling);
    for (const part of [words, title, references, files]) if (part.length > 0) this.#packed.append(part);
    return this.#starts.length - 1;
  }

  take(place: number): Prepared {
    const start = this.#starts.at(place);
    let from = start + head;
    const next = (part: number): Uint32Array => {
      const view = this.#packed.view(from, from + this.#packed.at(start + part));
      from += view.length;
      return view;
    };
    return {
      words: next(0),
      title: next(1),
      references: next(2),
      files: next(3),
      identity: this.#packed.at(start + 4),
      telling: this.#packed.at(start + 5),
    };
  }
}
