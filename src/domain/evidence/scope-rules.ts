import { fitsGlob, type GlobOptions, readGlob } from "../glob.ts";

const areaReading: GlobOptions = { ignoresCase: true, standsForBelow: "plain-paths", bareNames: "anywhere" };

/** Which files lie outside what a task said it would touch (EV11). No areas: everything matches. */
export function findUnexpected(files: readonly string[], areas: readonly string[]): string[] {
  if (areas.length === 0) return [];
  const globs = areas
    .map((area) => area.trim())
    .filter((area) => area !== "")
    .map((area) => readGlob(area, areaReading));
  return files.filter((file) => !globs.some((glob) => fitsGlob(glob, file, areaReading)));
}
