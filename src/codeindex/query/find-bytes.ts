import { foldByte } from "./fold.ts";

const asItIs = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/**
 * Counts where plain ASCII occurs in bytes, capitals or not, without making a text of them first. The last byte of each
 * place that is looked at says how far the next one may be (Horspool).
 */
export class ByteFinder {
  readonly #sought: Uint8Array;
  readonly #fold: Uint8Array;
  readonly #steps: Uint32Array;

  constructor(sought: string, isCased: boolean) {
    this.#fold = isCased ? asItIs : foldByte;
    this.#sought = Uint8Array.from(Buffer.from(sought, "latin1"), (byte) => this.#fold[byte] ?? byte);
    this.#steps = new Uint32Array(256).fill(this.#sought.length);
    for (let at = 0; at < this.#sought.length - 1; at += 1) {
      this.#steps[this.#sought[at] ?? 0] = this.#sought.length - 1 - at;
    }
  }

  /** How often, between these places; occurrences may overlap. */
  count(bytes: Uint8Array, from: number, to: number): number {
    let count = 0;
    for (let at = this.next(bytes, from, to); at >= 0; at = this.next(bytes, at + 1, to)) count += 1;
    return count;
  }

  /** Where it comes first, between these places; -1 where it doesn't. */
  next(bytes: Uint8Array, from: number, to: number): number {
    const [sought, fold, steps] = [this.#sought, this.#fold, this.#steps];
    const last = sought.length - 1;
    const lastByte = sought[last] ?? 0;
    for (let at = from + last; at < to; ) {
      const byte = fold[bytes[at] ?? 0] ?? 0;
      if (byte === lastByte) {
        let left = last - 1;
        while (left >= 0 && fold[bytes[at - last + left] ?? 0] === sought[left]) left -= 1;
        if (left < 0) return at - last;
      }
      at += steps[byte] ?? 1;
    }
    return -1;
  }
}
