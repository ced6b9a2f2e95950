/** Of the work that has no known duplicate, every eighth piece is checked too: the clean checks. */
const cleanShare = 8;

/**
 * Checks the work of each project against the rest of it, as an agent would before it begins: every duplicate, and
 * some of what is none. Work with an unlabelled twin of the same title is not counted as clean.
 */
export function runChecks(projects, { OverlapIndex, series, weights, limit = 60 }) {
  return projects.flatMap((project) => {
    const index = new OverlapIndex({ settings: { warnFloor: 0 }, weights });
    for (const doc of project.docs) index.put(doc);
    const duplicated = new Set(project.duplicated);
    const hold = holdSeries(project, series);
    return project.docs
      .filter(({ id }, at) => duplicated.has(id) || at % cleanShare === 0)
      .map((doc) => check(doc, project, { index, limit, hold }))
      .filter((found) => found.isDuplicated || !found.hasTwin);
  });
}

/** The engine compares two by two; what takes all that was found to see is held back afterwards, as a check does. */
export function holdSeries({ docs }, { findSeries, holdBack }) {
  const titles = new Map(docs.map(({ id, title }) => [id, title.trim().toLowerCase()]));
  return (matches) => {
    const found = findSeries(matches, { titleOf: ({ id }) => titles.get(id), matchOf: (match) => match });
    return matches.map((match) => (found.has(match) ? holdBack(match) : match));
  };
}

function check(doc, project, { index, limit, hold }) {
  const matches = hold(index.search(doc, { limit, skip: (id) => id === doc.id }));
  const duplicates = project.duplicatesOf(doc.id);
  return {
    project: project.name,
    doc,
    duplicates,
    isDuplicated: duplicates.size > 0,
    hasTwin: matches.some(({ tier }) => tier === "identical"),
    matches: matches.map((match) => ({ ...match, isDuplicate: duplicates.has(match.id) })),
  };
}

/** The score above which so many of the clean checks would raise an alarm. */
export function findThreshold(checks, share, scoreOf = ({ score }) => score) {
  const highest = checks
    .filter(({ isDuplicated }) => !isDuplicated)
    .map(({ matches }) => Math.max(0, ...matches.filter((match) => match.suppressedBy === null).map(scoreOf)))
    .sort((a, b) => b - a);
  return highest[Math.floor(highest.length * share)];
}
