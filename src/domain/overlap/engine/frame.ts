/** Two titles laid over each other: how many words they share at both ends, and what lies between. */
export interface Frame {
  readonly around: number;
  readonly mine: readonly number[];
  readonly theirs: readonly number[];
}

export function layOver(one: ArrayLike<number>, other: ArrayLike<number>): Frame {
  const [a, b] = [Array.from(one), Array.from(other)];
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return { around: start + end, mine: a.slice(start, a.length - end), theirs: b.slice(start, b.length - end) };
}

/** Fewer words around a gap are no frame. */
const leastAround = 2;

export const hasFrame = ({ around, mine, theirs }: Frame): boolean =>
  around >= leastAround && mine.length > 0 && theirs.length > 0;
