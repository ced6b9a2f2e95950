/** An index that is kept, seen from the repository a call is about. */
export interface KeptIndex {
  readonly id: string;
  readonly bytes: number;
  readonly builtAt: number;
  /** Of the repository that was named. */
  readonly isOwn: boolean;
  /** Its repository is not there any more. */
  readonly isGone: boolean;
}

export interface GcLimits {
  readonly maxBytes: number | undefined;
  readonly maxAgeDays: number | undefined;
}

interface Removal<Index extends KeptIndex> {
  readonly index: Index;
  readonly reason: "age" | "quota";
}

/**
 * What the limits remove: only the named repository's index and those whose repository is gone, oldest first. An index
 * of another repository counts for the room that is taken and is never removed for it (AR4).
 */
export function chooseRemovals<Index extends KeptIndex>(
  indexes: readonly Index[],
  limits: GcLimits,
  now: number,
): Removal<Index>[] {
  const mine = indexes.filter(({ isOwn, isGone }) => isOwn || isGone).sort((one, other) => one.builtAt - other.builtAt);
  const { maxAgeDays, maxBytes } = limits;
  const tooOld =
    maxAgeDays === undefined ? [] : mine.filter(({ builtAt }) => builtAt < now - maxAgeDays * 24 * 60 * 60_000);
  const removals: Removal<Index>[] = tooOld.map((index) => ({ index, reason: "age" }));
  if (maxBytes === undefined) return removals;
  let left = sum(indexes) - sum(tooOld);
  for (const index of mine.filter((one) => !tooOld.includes(one))) {
    if (left <= maxBytes) break;
    removals.push({ index, reason: "quota" });
    left -= index.bytes;
  }
  return removals;
}

const sum = (indexes: readonly KeptIndex[]): number => indexes.reduce((bytes, index) => bytes + index.bytes, 0);
