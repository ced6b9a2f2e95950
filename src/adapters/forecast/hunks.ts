import { limits } from "./limits.ts";

/** A run of lines of the common ancestor that one side changes. */
export interface Hunk {
  /** The first line, from 1; what is only added stands behind this line. */
  readonly from: number;
  /** How many lines; none where something is only added. */
  readonly count: number;
  /** The heading above it, as git shows it. */
  readonly heading: string | null;
}

/** The hunks of one file, out of a patch without context. */
export function readHunks(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  for (const [, from, count, heading = ""] of patch.matchAll(/^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@ ?(.*)$/gm)) {
    hunks.push({ from: Number(from), count: Number(count ?? 1), heading: heading.trim() || null });
  }
  return hunks;
}

/** Where two sides come near each other in one file: in the same function, or within a few lines. */
export function findNear(one: readonly Hunk[], other: readonly Hunk[]): Hunk[] {
  return one.filter((hunk) =>
    other.some((theirs) => gapBetween(hunk, theirs) <= limits.nearLines || isSame(hunk, theirs)),
  );
}

const isSame = (one: Hunk, other: Hunk): boolean => one.heading !== null && one.heading === other.heading;

/** Lines between two hunks; 0 where they touch. */
function gapBetween(one: Hunk, other: Hunk): number {
  const [first, second] = one.from <= other.from ? [one, other] : [other, one];
  return Math.max(0, second.from - (first.from + Math.max(first.count, 1) - 1) - 1);
}
