/** So many calls of a kind run by themselves before one tries again to go along with others. */
const timesAlone = 256;

/** Kinds of operations that could not share a transaction: trying it every time would run each of them twice. */
export class Loners {
  readonly #left = new Map<string, number>();

  add(kind: string | undefined): void {
    if (kind !== undefined) this.#left.set(kind, timesAlone);
  }

  /** Counts the call. */
  has(kind: string): boolean {
    const left = this.#left.get(kind) ?? 0;
    if (left > 1) this.#left.set(kind, left - 1);
    else this.#left.delete(kind);
    return left > 0;
  }
}
