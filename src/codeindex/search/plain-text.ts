import { eachIn, eachWithExtra } from "../segment/frozen-lists.ts";
import { mostWeight } from "../segment/segment.ts";
import { listStems } from "../segment/stems.ts";
import type { Scope } from "./scope.ts";
import { fileLengthNorms, lengthNorms, saturate, weighFileRarity, weighRarity } from "./weighing.ts";

/** Words of questions that say nothing about code. */
const stopWords = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on " +
    "or our should so some such than that the their them then there these they this to was we were what when where which while " +
    "who why will with would you your also just like use using used get got make made want need please see get issue bug expected actual behavior version"
  ).split(" "),
);
const mostStems = 256;

/** The first line says what it is about. Chosen on issues of open-source projects and the files that fixed them. */
const titleWeight = 1.5;
/** A name out of the code says more than a word of prose. */
const nameWeight = 1.5;

/** What a text is worth to chunks and to whole files, and how much each of its stems says. */
export interface PlainScores {
  readonly chunks: readonly Float32Array[];
  readonly files: readonly Float32Array[];
  readonly stems: ReadonlyMap<string, number>;
}

/** Scores chunks by how much they have of the words of a text, rare ones above all; none of them is required. */
export function findPlainText(text: string, scopes: readonly Scope[]): PlainScores {
  const chunks = scopes.map(({ allowed }) => new Float32Array(allowed.length));
  const files = scopes.map(({ segment }) => new Float32Array(segment.contents.keys.length));
  const stems = new Map<string, number>();
  const norms = lengthNorms(scopes);
  const fileNorms = fileLengthNorms(scopes);
  for (const [stem, said] of stemsOf(text)) {
    const weights = scopes.map((scope) => weightsOf(stem, scope));
    const rarity = weighRarity(weights, scopes) * said;
    const inFiles = weights.map((weight, number) => sumByFile(weight, scopes[number]));
    const fileRarity = weighFileRarity(inFiles) * said;
    stems.set(stem, fileRarity);
    for (const number of scopes.keys()) {
      addScores(chunks[number], weights[number], { rarity, norms: norms[number] });
      addScores(files[number], inFiles[number], { rarity: fileRarity, norms: fileNorms[number] });
    }
  }
  return { chunks, files, stems };
}

function addScores(
  scores: Float32Array | undefined,
  weights: Float32Array | undefined,
  { rarity, norms }: { readonly rarity: number; readonly norms: Float32Array | undefined },
): void {
  if (!scores || !weights || !norms) return;
  for (let at = 0; at < weights.length; at += 1) {
    const found = weights[at] ?? 0;
    if (found > 0) scores[at] = (scores[at] ?? 0) + rarity * saturate(found, norms[at] ?? 1);
  }
}

function sumByFile(weights: Float32Array, scope: Scope | undefined): Float32Array {
  const sums = new Float32Array(scope?.segment.contents.keys.length ?? 0);
  if (!scope) return sums;
  const { content } = scope.segment.chunks;
  for (let chunk = 0; chunk < weights.length; chunk += 1) {
    const found = weights[chunk] ?? 0;
    if (found === 0) continue;
    const file = content[chunk] ?? 0;
    sums[file] = (sums[file] ?? 0) + found;
  }
  return sums;
}

/** What a text is about, with how much it says so. */
export function stemsOf(text: string): Map<string, number> {
  const title = text.trimStart().split("\n", 1)[0] ?? "";
  const found = new Map<string, { times: number; factor: number }>();
  const take = (part: string, weight: number): void => {
    for (const word of part.match(/[\w$\u0080-\uffff]+/g) ?? []) {
      if (stopWords.has(word.toLowerCase())) continue;
      const factor = weight * (/[a-z][A-Z]|_/.test(word) ? nameWeight : 1);
      for (const stem of listStems(word)) {
        if (stem.length < 2 || stopWords.has(stem)) continue;
        const known = found.get(stem);
        if (known) Object.assign(known, { times: known.times + 1, factor: Math.max(known.factor, factor) });
        else if (found.size < mostStems) found.set(stem, { times: 1, factor });
      }
    }
  };
  const rest = text.trimStart().slice(title.length);
  take(title, rest.trim() === "" ? 1 : titleWeight);
  take(rest, 1);
  return new Map([...found].map(([stem, { times, factor }]) => [stem, Math.log2(1 + times) * factor]));
}

function weightsOf(stem: string, { segment, allowed }: Scope): Float32Array {
  const weights = new Float32Array(allowed.length);
  for (const number of segment.stems.find(stem, { isWhole: true, isCased: true })) {
    eachIn(segment.stemLists, number, (term) => {
      eachWithExtra(segment.termLists, term, (chunk, extra) => {
        if (allowed[chunk] === 1) weights[chunk] = (weights[chunk] ?? 0) + (extra & mostWeight);
      });
    });
  }
  return weights;
}
