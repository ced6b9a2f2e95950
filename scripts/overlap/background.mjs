/** Words of fewer projects may be somebody's names; words of fewer tasks say nothing certain. */
const leastProjects = 3;
const leastTasks = 4;
const mostTerms = 20_000;

/** How much each common word tells in software work at large, in the form the engine reads. */
export function makeBackground(projects, WordReader) {
  const reader = new WordReader();
  const counts = new Map();
  let size = 0;
  for (const { docs, share } of projects) {
    size += docs.length;
    for (const term of new Set(docs.flatMap((doc) => termsOf(doc, reader)))) {
      const entry = counts.get(term) ?? { projects: 0, tasks: 0 };
      counts.set(term, entry);
      entry.projects += share;
    }
    for (const doc of docs) {
      for (const term of new Set(termsOf(doc, reader))) counts.get(term).tasks += 1;
    }
  }
  const kept = [...counts]
    .filter(([term, { projects, tasks }]) => isWord(term) && projects >= leastProjects && tasks >= leastTasks)
    .sort(([a, one], [b, other]) => other.tasks - one.tasks || (a < b ? -1 : 1))
    .slice(0, mostTerms);
  const weigh = (tasks) => Math.log((1 + size) / (1 + tasks)) + 1;
  return { unknown: roundTo(weigh(1), 2), lines: group(kept, weigh) };
}

const termsOf = (doc, reader) => [...reader.read(doc.title, 300), ...reader.read(doc.description ?? "", 2_000)];

const isWord = (term) => /^[a-z]{2,24}$/.test(term);

/** One line for each weight to a tenth, its words in order of the alphabet. */
function group(kept, weigh) {
  const lines = new Map();
  for (const [term, { tasks }] of kept) {
    const weight = Math.round(weigh(tasks) * 10) * 10;
    lines.set(weight, [...(lines.get(weight) ?? []), term]);
  }
  return [...lines].sort(([a], [b]) => a - b).map(([weight, terms]) => [weight, ...terms.sort()].join(" "));
}

const roundTo = (value, digits) => Number(value.toFixed(digits));
