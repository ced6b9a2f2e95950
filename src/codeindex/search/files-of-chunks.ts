import type { Scope } from "./scope.ts";

/** What the best, the second and the third chunk of a file are worth. */
export type Best = readonly [number, number, number];

/** What each of them counts for the file. */
export const fileDecay: Best = [1, 0.3, 0.15];

export const joinBest = (best: Best, decay = fileDecay): number =>
  best[0] * decay[0] + best[1] * decay[1] + best[2] * decay[2];

/** Calls `visit` for each file with the part of `found` that is its own: chunks of a file lie side by side. */
export function eachFile(
  { segment }: Scope,
  found: Uint32Array,
  visit: (content: number, from: number, to: number) => void,
): void {
  for (let from = 0, to = 0; from < found.length; from = to) {
    const content = segment.chunks.content[found[from] ?? 0] ?? 0;
    const end = segment.contents.firstChunks[content + 1] ?? 0;
    while (to < found.length && (found[to] ?? 0) < end) to += 1;
    visit(content, from, to);
  }
}

export function bestOf(score: Float32Array, found: Uint32Array, from: number, to: number): Best {
  let [first, second, third] = [0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const value = score[found[at] ?? 0] ?? 0;
    if (value > first) {
      third = second;
      second = first;
      first = value;
    } else if (value > second) {
      third = second;
      second = value;
    } else if (value > third) third = value;
  }
  return [first, second, third];
}
