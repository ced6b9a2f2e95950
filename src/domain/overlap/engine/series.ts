import type { OverlapMatch, Suppression } from "./doc.ts";

/** So many others from the same frame make a series: few people say the same thing in five ways, each with its own word. */
const leastOthers = 4;
/** Others count whose titles are nearly as much alike. */
const nearly = 0.8;
/** What is this likely to be the same is asked about, whatever else there is. */
const spared = 0.7;

interface Reading<Item> {
  readonly titleOf: (item: Item) => string;
  readonly matchOf: (item: Item) => OverlapMatch;
}

/**
 * Which matches are held back for what all of them show together: the members of a series, and where one match differs
 * in its number or in one name only, the others too. Such work is one of many made from a pattern, and what is alike then
 * is the pattern.
 */
export function findPatterned<Item>(items: readonly Item[], reading: Reading<Item>): ReadonlySet<Item> {
  const { matchOf } = reading;
  const series = findSeries(items, reading);
  if (series.size === 0 && !items.some((item) => siblings.has(matchOf(item).suppressedBy))) return series;
  const others = items.filter((item) => matchOf(item).tier !== "identical" && matchOf(item).score < spared);
  return new Set([...series, ...others]);
}

/** Tests for a thing, its opposite or its description say nothing of the kind: the thing itself may well be done twice. */
const siblings: ReadonlySet<Suppression | null> = new Set<Suppression>(["different_numbers", "template_sibling"]);

/**
 * Which matches are one of a series: five titles or more, made from one frame, each with a word of its own. Pair by
 * pair they look like duplicates; together they show that the frame is what they share. Copies of one title are one.
 */
function findSeries<Item>(items: readonly Item[], { titleOf, matchOf }: Reading<Item>): ReadonlySet<Item> {
  const framed = items
    .filter((item) => matchOf(item).features["sameFrame"] === 1 && matchOf(item).tier !== "identical")
    .map((item) => ({ item, title: titleOf(item), cosine: matchOf(item).features["titleCosine"] ?? 0 }));
  const isOfSeries = ({ title, cosine }: (typeof framed)[number]): boolean => {
    const others = framed.filter((other) => other.title !== title && other.cosine >= nearly * cosine);
    return new Set(others.map((other) => other.title)).size >= leastOthers;
  };
  return new Set(framed.filter(isOfSeries).map(({ item }) => item));
}

/** The same match, shown and no longer asked about. */
export const holdBack = (match: OverlapMatch): OverlapMatch =>
  match.escalates
    ? {
        ...match,
        tier: "shortlist",
        escalates: false,
        suppressedBy: "template_sibling",
        reasons: [...match.reasons.slice(0, 2), "Not escalated: one of a series made from the same pattern"],
      }
    : { ...match, suppressedBy: match.suppressedBy ?? "template_sibling" };
