import type { ProbableFile } from "../task/footprint-model.ts";

/** Below this for both, a file in common means little. */
const likely = 0.07;

/** Files that two tasks will both likely touch, the likeliest first; each with how likely both do. */
export function shareFiles(mine: readonly ProbableFile[], theirs: readonly ProbableFile[]): ProbableFile[] {
  const known = new Map(theirs.map(({ path, probability }) => [path, probability]));
  return mine
    .flatMap(({ path, probability }) => {
      const other = known.get(path) ?? 0;
      if (probability < likely || other < likely) return [];
      return [{ path, probability: Math.round(probability * other * 1_000) / 1_000 }];
    })
    .sort((one, other) => other.probability - one.probability);
}
