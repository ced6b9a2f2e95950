import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** The projects of the agents' trackers: their work as the engine takes it, and which pieces are duplicates. */
export function readProjects(folder, split) {
  const projects = new Map();
  for (const task of readLines(join(folder, "agent-tasks.jsonl.gz"))) {
    if (task.split !== split) continue;
    const project = projects.get(task.project) ?? { name: task.project, docs: [], pairs: [] };
    projects.set(task.project, project);
    project.docs.push(toDoc(task));
  }
  for (const { project, a, b } of readJson(join(folder, "agent-pairs.json"))) projects.get(project)?.pairs.push([a, b]);
  return [...projects.values()].map(finish);
}

/** People's bug reports, as one project. */
export function readReports(folder) {
  const docs = readLines(join(folder, "openoffice.jsonl.gz")).map(toDoc);
  return finish({ name: "openoffice", docs, pairs: readJson(join(folder, "openoffice-pairs.json")) });
}

/** Work with nothing but a title known about it, unless `known` says more. */
export const toDoc = ({ id, title, description = null, created_at = null }) => ({
  id,
  kind: "task",
  title,
  scope: null,
  description,
  result: null,
  action: null,
  component: null,
  repo: null,
  files: [],
  developerId: null,
  sessionId: null,
  status: "active",
  at: created_at === null ? 0 : Date.parse(created_at),
});

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

const readLines = (path) =>
  gunzipSync(readFileSync(path))
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Duplicates of duplicates are duplicates. */
function finish({ name, docs, pairs }) {
  const known = new Set(docs.map(({ id }) => id));
  const groups = new Map();
  for (const [a, b] of pairs.filter((pair) => pair.every((id) => known.has(id)))) {
    const group = new Set([a, b, ...(groups.get(a) ?? []), ...(groups.get(b) ?? [])]);
    for (const id of group) groups.set(id, group);
  }
  return { name, docs, duplicatesOf: (id) => groups.get(id) ?? none, duplicated: [...groups.keys()].sort() };
}

const none = new Set();
