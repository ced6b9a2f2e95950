import type { OverlapMatch } from "./doc.ts";

/** So many others from the same frame make a series: few people say the same thing in five ways, each with its own word. */
const leastOthers = 4;
/** Others count whose titles are nearly as much alike. */
const nearly = 0.8;

/**
 * Which matches are one of a series: five titles or more, made from one frame, each with a word of its own. Pair by
 * pair they look like duplicates; together they show that the frame is what they share. Copies of one title are one.
 */
export function findSeries<Item>(
  items: readonly Item[],
  { titleOf, matchOf }: { titleOf: (item: Item) => string; matchOf: (item: Item) => OverlapMatch },
): ReadonlySet<Item> {
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
