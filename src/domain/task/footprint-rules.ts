import type { ProbableFile } from "./footprint-model.ts";

/** How likely the file in each place of the ranking is touched. An estimate that no measurement backs yet. */
const probabilities = [0.42, 0.2, 0.13, 0.09, 0.07, 0.05, 0.04, 0.03, 0.03, 0.02];

/** Tests are touched with whatever they test, so they say nothing about where two tasks meet. */
const isTest = (path: string): boolean =>
  /(^|\/)(tests?|__tests__|spec|testdata|fixtures)\//i.test(path) ||
  /(^|\/)test_[^/]*$|[._-](test|spec)s?\.[^/]*$/i.test(path);

/** The files of a ranking, best first, without those that are tests. */
export function predictFiles(hits: readonly { readonly file: string }[]): ProbableFile[] {
  const files = [...new Set(hits.map(({ file }) => file))].filter((file) => !isTest(file));
  return files.slice(0, probabilities.length).map((path, place) => ({ path, probability: probabilities[place] ?? 0 }));
}
