/**
 * `node scripts/overlap/background.mjs [DATA]`: writes how much each common word tells in software work at large. To be
 * run before the training, which depends on it.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readProjects, readReports } from "./data.mjs";
import { openEngine } from "./engine.mjs";

/** Words of fewer projects may be somebody's names; words of fewer tasks say nothing certain. */
const leastProjects = 3;
const leastTasks = 4;

const { folder, load, home } = await openEngine();
const { WordReader } = await load("word-reader");
const reader = new WordReader();
const counts = new Map();
let size = 0;
for (const project of readProjects(folder, "develop")) countWords(project, 1);
countWords(readReports(folder), 2);

const kept = [...counts].filter(([term, { projects, tasks }]) => {
  return /^[a-z]{2,24}$/.test(term) && projects >= leastProjects && tasks >= leastTasks;
});
const table = { unknown: Number(weigh(1).toFixed(2)), lines: groupByWeight() };
writeFileSync(join(home, "background.generated.json"), `${JSON.stringify(table, null, 1)}\n`);
console.log(`${kept.length} words of ${size} tasks`);

function countWords({ docs }, worth) {
  size += docs.length;
  const inProject = new Set();
  for (const { title, description } of docs) {
    for (const term of new Set([...reader.read(title, 300), ...reader.read(description ?? "", 2_000)])) {
      const entry = counts.get(term) ?? { projects: 0, tasks: 0 };
      counts.set(term, entry);
      entry.tasks += 1;
      if (!inProject.has(term)) entry.projects += worth;
      inProject.add(term);
    }
  }
}

function weigh(tasks) {
  return Math.log((1 + size) / (1 + tasks)) + 1;
}

/** One line for each weight to a tenth, its words in the order of the alphabet. */
function groupByWeight() {
  const lines = new Map();
  for (const [term, { tasks }] of kept) {
    const weight = Math.round(weigh(tasks) * 10) * 10;
    lines.set(weight, [...(lines.get(weight) ?? []), term]);
  }
  return [...lines].sort(([a], [b]) => a - b).map(([weight, terms]) => [weight, ...terms.sort()].join(" "));
}
