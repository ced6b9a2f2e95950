import { setImmediate as breathe } from "node:timers/promises";
import type { VectorProvider } from "../../domain/overlap/port.ts";

/** A batch must be over soon, so that what is asked about last need not wait for all that came before. */
const mostAtOnce = 8;
/** Beyond this the oldest are dropped: they are compared by their words alone. */
const mostWaiting = 10_000;
const mostKept = 50_000;

/** A direction; its length says nothing, so small whole numbers do. */
interface Vector {
  readonly values: Int8Array;
  readonly length: number;
}

/**
 * The vectors of titles, in memory. They are asked for in the background, newest first, and come when they come: nothing
 * here waits (VE2). Kept by title, so that work which changes in any other way, or which was checked before it began,
 * need not be asked about again.
 */
export class VectorShelf {
  readonly #provider: VectorProvider | undefined;
  readonly #vectors = new Map<string, Vector>();
  readonly #waiting = new Set<string>();
  #isAsking = false;

  constructor(provider: VectorProvider | undefined) {
    this.#provider = provider;
  }

  /** The model behind the vectors, once there are any. */
  get versions(): string[] {
    return this.#provider && this.#vectors.size > 0 ? [this.#provider.version] : [];
  }

  want(title: string): void {
    if (!this.#provider || this.#vectors.has(title)) return;
    this.#waiting.delete(title);
    this.#waiting.add(title);
    dropFirst(this.#waiting, mostWaiting);
    if (!this.#isAsking) void this.#ask(this.#provider);
  }

  /** The cosine of two titles; 0 where a vector is missing. */
  compare(one: string, other: string): number {
    const [a, b] = [this.#vectors.get(one), this.#vectors.get(other)];
    return a && b ? measureCosine(a, b) : 0;
  }

  async close(): Promise<void> {
    this.#waiting.clear();
    await this.#provider?.close();
  }

  async #ask(provider: VectorProvider): Promise<void> {
    this.#isAsking = true;
    await breathe();
    while (this.#waiting.size > 0) {
      const titles = [...this.#waiting].slice(-mostAtOnce);
      for (const title of titles) this.#waiting.delete(title);
      const embedding = provider.embed(titles).then((vectors) => this.#keep(titles, vectors));
      // Titles without a vector are compared by their words; the provider says in the log why there are none.
      await embedding.catch(() => undefined);
    }
    this.#isAsking = false;
  }

  #keep(titles: readonly string[], vectors: readonly Float32Array[]): void {
    for (const [at, title] of titles.entries()) {
      const vector = vectors[at];
      if (!vector) continue;
      this.#vectors.set(title, shrink(vector));
      // It may have been wanted again while it was under way.
      this.#waiting.delete(title);
    }
    dropFirst(this.#vectors, mostKept);
  }
}

function dropFirst(from: Set<string> | Map<string, unknown>, most: number): void {
  for (const first of from.keys()) {
    if (from.size <= most) return;
    from.delete(first);
  }
}

function shrink(vector: Float32Array): Vector {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const values = Int8Array.from(vector, (value) => Math.round((value / (largest || 1)) * 127));
  return { values, length: Math.sqrt(multiply(values, values)) };
}

/** Vectors of different models, or without a direction, have nothing in common. */
function measureCosine(one: Vector, other: Vector): number {
  if (one.values.length !== other.values.length || one.length * other.length === 0) return 0;
  return multiply(one.values, other.values) / (one.length * other.length);
}

function multiply(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
