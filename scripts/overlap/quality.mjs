import { findThreshold, listAsked } from "./checks.mjs";

/** The share of duplicates found among the first so many matches. */
export function recallAt(checks, most) {
  const duplicated = checks.filter(({ isDuplicated }) => isDuplicated);
  return shareOf(duplicated, ({ matches }) => matches.slice(0, most).some(({ isDuplicate }) => isDuplicate));
}

/** Duplicates whose title is not the same: how many escalate where a share of the clean checks raises an alarm. */
export function recallOfReworded(checks, share, { series, settings }) {
  const escalateThreshold = findThreshold(checks, share, { series, settings });
  const reworded = checks.filter(({ isDuplicated, hasTwin }) => isDuplicated && !hasTwin);
  return shareOf(reworded, ({ matches }) =>
    listAsked(matches, { series, settings: { ...settings, escalateThreshold } }).some(({ isDuplicate }) => isDuplicate),
  );
}

/** How often a check of work without a duplicate asks for a verdict, at the shipped threshold. */
export const alarmsOnClean = (checks) =>
  shareOf(
    checks.filter(({ isDuplicated }) => !isDuplicated),
    ({ matches }) => matches.some(({ escalates }) => escalates),
  );

/** Pairs that are no duplicates although their titles are alike; `isSibling` says which of them. */
export function escalatedSiblings(checks, docs, isSibling) {
  const pairs = checks.flatMap(({ project, doc, matches }) =>
    matches.filter(
      (match) =>
        !match.isDuplicate &&
        match.tier !== "identical" &&
        match.features.titleCosine >= 0.5 &&
        isSibling(doc.title, docs.get(`${project} ${match.id}`).title),
    ),
  );
  return { pairs: pairs.length, escalated: shareOf(pairs, ({ escalates }) => escalates) };
}

/** Work whose title another has too, letter case and punctuation aside: how many of them the engine calls identical. */
export function recallOfIdentical(projects, OverlapIndex) {
  const found = projects.flatMap(({ docs }) => {
    const index = new OverlapIndex();
    for (const doc of docs) index.put(doc);
    const groups = groupBy(docs, plainTitle);
    return [...groups.values()]
      .filter((group) => group.length > 1)
      .flatMap((group) => group.map((doc) => index.search(doc, { limit: 1, skip: (id) => id === doc.id })[0]));
  });
  return {
    count: found.length,
    identical: shareOf(found, (match) => match?.tier === "identical" && match.score >= 0.95),
    escalated: shareOf(found, (match) => match?.escalates === true),
  };
}

/** How far the scores are from the share of duplicates among matches that have them: the expected calibration error. */
export function calibrationError(checks, bins = 10) {
  const matches = checks.flatMap((check) => check.matches.slice(0, 10)).filter(({ tier }) => tier !== "identical");
  const grouped = groupBy(matches, ({ score }) => Math.min(bins - 1, Math.floor(score * bins)));
  let error = 0;
  for (const group of grouped.values()) {
    const scored = group.reduce((sum, { score }) => sum + score, 0);
    const true_ = group.filter(({ isDuplicate }) => isDuplicate).length;
    error += Math.abs(scored - true_);
  }
  return error / matches.length;
}

export const siblings = {
  numbers: (one, other) => {
    const [a, b] = [one, other].map((title) => new Set(title.match(/\d+/g) ?? []));
    return a.size > 0 && b.size > 0 && [...a].every((number) => !b.has(number));
  },
  opposed: (one, other) => opposed.some(([a, b]) => differs(one, other, a, b) || differs(one, other, b, a)),
  tests: (one, other) => isTest(one) !== isTest(other),
};

const opposed =
  "import/export add/remove enable/disable client/server read/write upload/download encode/decode open/close"
    .split(" ")
    .map((pair) => pair.split("/").map((word) => new RegExp(`\\b${word}`, "i")));

const differs = (one, other, a, b) => a.test(one) && !b.test(one) && b.test(other) && !a.test(other);

/** `TestParserRoundTrip` and benchmarks are tests too. */
const isTest = (title) => /\b(test(s|ing)?|e2e|coverage|benchmarks?)\b/i.test(title) || /\bTest[A-Z]/.test(title);

const plainTitle = ({ title }) =>
  title
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(" ") ?? title;

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const shareOf = (items, holds) => items.filter(holds).length / items.length;
