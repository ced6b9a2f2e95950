import type { Ranked } from "../search/top-list.ts";

/** How much less each further place counts, as is usual for such sums. */
const damping = 60;

/** So many of either list are looked at. */
export const fusedDepth = 200;

/** Puts two orders together: whatever stands high in both comes first. First in both is worth 1. */
export function fuse(byWords: readonly Ranked[], byMeaning: readonly Ranked[]): Ranked[] {
  const fused = new Map<string, { ranked: Ranked; worth: number }>();
  for (const list of [byWords, byMeaning]) {
    for (const [place, ranked] of list.entries()) {
      const key = `${ranked.entry.raw}\0${ranked.scope.segment.chunks.start[ranked.chunk]}\0${ranked.chunk}`;
      const worth = (damping + 1) / 2 / (damping + 1 + place);
      const known = fused.get(key);
      if (known) known.worth += worth;
      else fused.set(key, { ranked, worth });
    }
  }
  return [...fused.values()]
    .sort((one, other) => other.worth - one.worth)
    .map(({ ranked, worth }) => ({ ...ranked, score: worth }));
}
