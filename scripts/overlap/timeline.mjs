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
    const filed = new Set();
    const docs = project.docs.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    return docs.map((doc) => {
      const checked = check(
        hold(index.search(doc)),
        { duplicates: project.duplicatesOf(doc.id), isThere: (id) => filed.has(id) && id !== doc.id },
        settings,
        cap,
      );
      cap.note(doc.title.trim().toLowerCase(), checked.scores);
      index.put(doc);
      filed.add(doc.id);
      return checked;
    });
  });
}

function check(matches, { duplicates, isThere }, settings, cap) {
  const open = matches.filter(({ suppressedBy }) => suppressedBy === null);
  const capped = cap.raise(settings);
  const asksFrom = (threshold, some = open) => some.some(({ score }) => score >= threshold);
  const right = open.filter(({ id }) => duplicates.has(id));
  return {
    scores: open.map(({ score }) => score),
    isClean: duplicates.size === 0 && matches.every(({ tier }) => tier !== "identical"),
    /** Every duplicate that was there, found or not: what was missed must count. */
    isReworded: [...duplicates].some(isThere) && matches.every(({ tier }) => tier !== "identical"),
    asks: { set: asksFrom(settings.escalateThreshold), capped: asksFrom(capped) },
    asksRightly: { set: asksFrom(settings.escalateThreshold, right), capped: asksFrom(capped, right) },
  };
}

/** The share of these that hold. */
export const shareOf = (items, holds) => items.filter(holds).length / items.length;
