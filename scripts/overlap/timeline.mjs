import { listOpen, openReader } from "./checks.mjs";

/** As many as a check looks at. */
const mostFound = 50;

/**
 * The work of each project in the order in which it was filed: each piece is checked against what was there before it,
 * and then put in. So a check is answered as it would have been, and the cap on questions sees what it would have seen.
 */
export function runTimeline(projects, { OverlapIndex, EscalationCap, series, settings }) {
  return projects.flatMap((project) => {
    const index = new OverlapIndex({ settings });
    const cap = new EscalationCap();
    const read = openReader(project);
    const filed = new Set();
    const docs = project.docs.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    return docs.map((doc) => {
      const matches = read(doc, index.search(doc, { limit: mostFound }));
      const open = listOpen(matches, { series, ...settings });
      const capped = cap.raise(settings);
      cap.note(
        doc.title.trim().toLowerCase(),
        open.map(({ score }) => score),
      );
      const duplicates = project.duplicatesOf(doc.id);
      const hasTwin = matches.some(({ tier }) => tier === "identical");
      const isThere = (id) => filed.has(id) && id !== doc.id;
      index.put(doc);
      filed.add(doc.id);
      return {
        isClean: duplicates.size === 0 && !hasTwin,
        /** Every duplicate that was there, found or not: what was missed must count. */
        isReworded: [...duplicates].some(isThere) && !hasTwin,
        asked: open.filter(({ score }) => score >= settings.escalateThreshold),
        askedWithCap: open.filter(({ score }) => score >= capped),
      };
    });
  });
}

/** The share of these that hold. */
export const shareOf = (items, holds) => items.filter(holds).length / items.length;
