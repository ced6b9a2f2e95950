/** Two titles laid over each other: how many words they share at the start and, of the rest, at the end. */
interface Frame {
  readonly start: number;
  readonly end: number;
}

export function layOver(one: Uint32Array, other: Uint32Array): Frame {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return { start, end };
}

/** Fewer words around a gap are no frame. */
const leastAround = 2;

/** Whether the titles have a frame in common, and something of their own in it. */
export function hasFrame({ start, end }: Frame, one: Uint32Array, other: Uint32Array): boolean {
  return start + end >= leastAround && Math.min(one.length, other.length) > start + end;
}

export const gapOf = ({ start, end }: Frame, title: Uint32Array): Uint32Array =>
  title.subarray(start, title.length - end);
