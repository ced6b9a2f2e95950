import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Folders that hold nothing but generated files, at their top level. */
const ownedFolders = ["contracts", "docs/tools"];

/** One line for each file that is not as it would be written. */
export function listDrift(root, files) {
  const drifted = [...files].flatMap(([path, text]) => {
    const found = readText(join(root, path));
    return found === text ? [] : [`${path} ${found === undefined ? "is missing" : "has drifted"}`];
  });
  return [...drifted, ...listStale(root, files).map((path) => `${path} is stale`)];
}

/** Writes what differs; what is right keeps its time, so that nothing is built again for it. */
export function writeFiles(root, files) {
  for (const [path, text] of files) {
    const place = join(root, path);
    if (readText(place) === text) continue;
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
}

export function removeStale(root, files) {
  for (const path of listStale(root, files)) rmSync(join(root, path));
}

function listStale(root, files) {
  return ownedFolders
    .flatMap((folder) => listTop(root, folder))
    .filter((path) => !files.has(path))
    .sort();
}

function listTop(root, folder) {
  const place = join(root, folder);
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${folder}/${entry.name}`);
}

function readText(path) {
  return statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, "utf8") : undefined;
}
