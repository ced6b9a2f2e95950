import { eachIn, eachWithExtra } from "../segment/frozen-lists.ts";
import { mostWeight } from "../segment/segment.ts";
import { listStems } from "../segment/stems.ts";
import type { Scope } from "./scope.ts";
import { lengthNorms, saturate, weighRarity } from "./weighing.ts";

/** Words of questions that say nothing about code. */
const stopWords = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on " +
    "or our should so some such than that the their them then there these they this to was we were what when where which while " +
    "who why will with would you your also just like use using used get got make made want need please see get issue bug expected actual behavior version"
  ).split(" "),
);
const mostStems = 256;

/** Scores chunks by how much they have of the words of a text, rare ones above all; none of them is required. */
export function findPlainText(text: string, scopes: readonly Scope[]): Float32Array[] {
  const scores = scopes.map(({ allowed }) => new Float32Array(allowed.length));
  const norms = lengthNorms(scopes);
  for (const [stem, times] of stemsOf(text)) {
    const weights = scopes.map((scope) => weightsOf(stem, scope));
    const rarity = weighRarity(weights, scopes);
    for (const [number, weight] of weights.entries()) {
      const [score, norm, scope] = [scores[number], norms[number], scopes[number]];
      if (!score || !norm || !scope) continue;
      for (let chunk = 0; chunk < weight.length; chunk += 1) {
        const found = weight[chunk] ?? 0;
        if (found === 0 || scope.allowed[chunk] !== 1) continue;
        score[chunk] = (score[chunk] ?? 0) + rarity * saturate(found, norm[chunk] ?? 1) * Math.log2(1 + times);
      }
    }
  }
  return scores;
}

/** What a text is about, with how often it says so. */
function stemsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.match(/[\w$\u0080-\uffff]+/g) ?? []) {
    if (stopWords.has(word.toLowerCase())) continue;
    for (const stem of listStems(word)) {
      if (stem.length < 2 || stopWords.has(stem)) continue;
      const count = counts.get(stem);
      if (count !== undefined || counts.size < mostStems) counts.set(stem, (count ?? 0) + 1);
    }
  }
  return counts;
}

function weightsOf(stem: string, { segment, allowed }: Scope): Float32Array {
  const weights = new Float32Array(allowed.length);
  for (const number of segment.stems.find(stem, { isWhole: true, isCased: true })) {
    eachIn(segment.stemLists, number, (term) => {
      eachWithExtra(segment.termLists, term, (chunk, extra) => {
        weights[chunk] = (weights[chunk] ?? 0) + (extra & mostWeight);
      });
    });
  }
  return weights;
}
