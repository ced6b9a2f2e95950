/** Of the work that has no known duplicate, every eighth piece is checked too: the clean checks. */
const cleanShare = 8;

/**
 * Checks the work of each project against the rest of it, as an agent would before it begins: every duplicate, and
 * some of what is none. Work with an unlabelled twin of the same title is not counted as clean.
 */
export function runChecks(projects, { OverlapIndex, series, settings, limit = 60 }) {
  return projects.flatMap((project) => {
    const index = new OverlapIndex({ settings });
    for (const doc of project.docs) index.put(doc);
    const duplicated = new Set(project.duplicated);
    const read = openReader(project);
    return project.docs
      .filter(({ id }, at) => duplicated.has(id) || at % cleanShare === 0)
      .map((doc) => check(doc, project, { index, limit, read, series, settings }))
      .filter((found) => found.isDuplicated || !found.hasTwin);
  });
}

/** Matches with what a check knows about them besides: their titles, and whether they are duplicates. */
export function openReader(project) {
  const titles = new Map(project.docs.map(({ id, title }) => [id, title.trim().toLowerCase()]));
  return (doc, matches) => {
    const duplicates = project.duplicatesOf(doc.id);
    return matches.map((match) => ({
      ...match,
      title: titles.get(match.id),
      isDuplicate: match.id !== doc.id && duplicates.has(match.id),
    }));
  };
}

function check(doc, project, { index, limit, read, series, settings }) {
  const matches = read(doc, index.search(doc, { limit, skip: (id) => id === doc.id }));
  const asked = new Set(listAsked(matches, { series, settings }));
  const duplicates = project.duplicatesOf(doc.id);
  return {
    project: project.name,
    doc,
    duplicates,
    isDuplicated: duplicates.size > 0,
    hasTwin: matches.some(({ tier }) => tier === "identical"),
    matches: matches.map((match) => ({ ...match, escalates: asked.has(match) })),
  };
}

/** What is asked about from a threshold on. The engine compares two by two; what takes all matches to see comes after it. */
export function listAsked(matches, { series, settings: { warnFloor, escalateThreshold } }) {
  return listOpen(matches, { series, warnFloor }).filter(({ score }) => score >= escalateThreshold);
}

/** What nothing holds back, neither in the pair itself nor in all that was found. */
export function listOpen(matches, { series, warnFloor }) {
  const alike = matches.filter(({ score }) => score >= warnFloor);
  const patterned = series.findPatterned(alike, { titleOf: ({ title }) => title, matchOf: (match) => match });
  return alike.filter((match) => match.suppressedBy === null && !patterned.has(match));
}

/** The threshold from which so many of the clean checks ask. */
export function findThreshold(checks, share, { series, settings: { warnFloor } }) {
  const highest = checks
    .filter(({ isDuplicated }) => !isDuplicated)
    .map(({ matches }) => Math.max(0, ...listOpen(matches, { series, warnFloor }).map(({ score }) => score)))
    .sort((a, b) => b - a);
  return highest[Math.floor(highest.length * share)];
}
