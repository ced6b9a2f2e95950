/**
 * The work of each project in the order in which it was filed: each piece is checked against what was there before it,
 * and then put in. `threshold` is the one in force at that check, the cap included.
 */
export function runTimeline(projects, { OverlapIndex, EscalationCap, settings }) {
  return projects.flatMap((project) => {
    const index = new OverlapIndex();
    const cap = new EscalationCap();
    return project.docs
      .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
      .map((doc) => {
        const matches = index.search(doc);
        const open = matches.filter(({ suppressedBy }) => suppressedBy === null);
        const threshold = cap.raise(settings);
        cap.note(
          doc.title.trim().toLowerCase(),
          open.map(({ score }) => score),
        );
        index.put(doc);
        const duplicates = project.duplicatesOf(doc.id);
        return {
          project: project.name,
          threshold,
          isDuplicated: duplicates.size > 0,
          hasTwin: matches.some(({ tier }) => tier === "identical"),
          asks: open.some(({ score }) => score >= threshold),
          asksRightly: open.some(({ id, score }) => duplicates.has(id) && score >= threshold),
          couldAsk: matches.some(({ id }) => duplicates.has(id)),
        };
      });
  });
}
