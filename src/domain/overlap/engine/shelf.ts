import { GrowingList } from "./growing.ts";
import type { Prepared } from "./prepared.ts";

const head = 4;

/** Prepared work, packed one after the other into a single list: no objects, no copies on reading. */
export class Shelf {
  readonly #packed = new GrowingList(16_384);
  readonly #starts = new GrowingList(1_024);

  /** How many pieces were ever put here; the number of the next one. */
  get length(): number {
    return this.#starts.length;
  }

  put({ words, identity, references, files }: Prepared): number {
    this.#starts.push(this.#packed.length);
    this.#packed.append(Uint32Array.of(words.length, references.length, files.length, identity));
    for (const part of [words, references, files]) this.#packed.append(part);
    return this.#starts.length - 1;
  }

  take(place: number): Prepared {
    const start = this.#starts.at(place);
    const words = start + head + this.#packed.at(start);
    const references = words + this.#packed.at(start + 1);
    return {
      words: this.#packed.view(start + head, words),
      references: this.#packed.view(words, references),
      files: this.#packed.view(references, references + this.#packed.at(start + 2)),
      identity: this.#packed.at(start + 3),
    };
  }
}
