import { holdSeries } from "./checks.mjs";

/**
 * The work of each project in the order in which it was filed: each piece is checked against what was there before it,
 * and then put in. So a check is answered as it would have been, and the cap on questions sees what it would have seen.
 */
export function runTimeline(projects, { OverlapIndex, EscalationCap, series, settings }) {
  return projects.flatMap((project) => {
    const index = new OverlapIndex();
    const cap = new EscalationCap();
    const hold = holdSeries(project, series);
    const docs = project.docs.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    return docs.map((doc) => {
      const checked = check(hold(index.search(doc)), project.duplicatesOf(doc.id), settings, cap);
      cap.note(doc.title.trim().toLowerCase(), checked.scores);
      index.put(doc);
      return checked;
    });
  });
}

function check(matches, duplicates, settings, cap) {
  const open = matches.filter(({ suppressedBy }) => suppressedBy === null);
  const capped = cap.raise(settings);
  const asksFrom = (threshold, some = open) => some.some(({ score }) => score >= threshold);
  const right = open.filter(({ id }) => duplicates.has(id));
  return {
    scores: open.map(({ score }) => score),
    isClean: duplicates.size === 0 && matches.every(({ tier }) => tier !== "identical"),
    isReworded: matches.some(({ id }) => duplicates.has(id)) && matches.every(({ tier }) => tier !== "identical"),
    asks: { set: asksFrom(settings.escalateThreshold), capped: asksFrom(capped) },
    asksRightly: { set: asksFrom(settings.escalateThreshold, right), capped: asksFrom(capped, right) },
  };
}

/** The share of these that hold. */
export const shareOf = (items, holds) => items.filter(holds).length / items.length;
