import type { Scope } from "./scope.ts";

/** The usual figures of such scores: how soon more occurrences stop to count, and how much the length of a chunk matters. */
const k1 = 1.2;
const b = 0.6;

/** For each chunk what its length makes of an occurrence. */
export function lengthNorms(scopes: readonly Scope[]): Float32Array[] {
  let words = 0;
  let count = 0;
  for (const { segment } of scopes) {
    for (const length of segment.chunks.length) words += length;
    count += segment.chunks.length.length;
  }
  const average = Math.max(1, words / Math.max(1, count));
  return scopes.map(({ segment }) =>
    Float32Array.from(segment.chunks.length, (length) => 1 - b + (b * length) / average),
  );
}

/** The same for whole files. */
export function fileLengthNorms(scopes: readonly Scope[]): Float32Array[] {
  let words = 0;
  let count = 0;
  for (const { segment } of scopes) {
    for (const length of segment.contents.lengths) words += length;
    count += segment.contents.lengths.length;
  }
  const average = Math.max(1, words / Math.max(1, count));
  return scopes.map(({ segment }) =>
    Float32Array.from(segment.contents.lengths, (length) => 1 - b + (b * length) / average),
  );
}

export const saturate = (weight: number, norm: number): number => (weight * (k1 + 1)) / (weight + k1 * norm);

/** How much it says that something occurs: the less often it does, the more. */
export function weighRarity(weights: readonly Float32Array[], scopes: readonly Scope[]): number {
  let having = 0;
  let all = 0;
  for (const [number, { segment }] of scopes.entries()) {
    all += segment.chunks.content.length;
    for (const weight of weights[number] ?? []) if (weight > 0) having += 1;
  }
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

/** The same by the number of files. */
export function weighFileRarity(weights: readonly Float32Array[]): number {
  let having = 0;
  let all = 0;
  for (const weight of weights) {
    all += weight.length;
    for (const found of weight) if (found > 0) having += 1;
  }
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}
