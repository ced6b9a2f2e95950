/**
 * Edits files of an indexed repository, searches and saves after each edit, and is killed so many milliseconds into that; or,
 * given the beginning of a file's name instead, when that file appears while small segments are put together.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";
import { openGit } from "../../../dist/adapters/git/open.js";
import { installedGit } from "../../../dist/adapters/git/run.js";
import { openCodeindex } from "../../../dist/codeindex/open-codeindex.js";

const [homeDir, root, when] = process.argv.slice(2);
const { signal } = new AbortController();
const repository = { root, main: root };
const plain = { isNothing: false, filters: {}, top: 1, contextLines: 0, isFull: false, isEverywhere: false };
const open = () => openCodeindex({ homeDir, openGit: (signal) => openGit(installedGit, signal), now: Date.now });
const kill = () => process.kill(process.pid, "SIGKILL");
let isLast = false;
const isTimed = /^\d+$/.test(when);
if (isTimed) setTimeout(kill, Number(when));
else {
  const { open, rename } = files;
  const killAt = (path) => isLast && basename(String(path)).startsWith(when) && kill();
  files.open = async (path, ...more) => {
    const file = await open(path, ...more);
    killAt(path);
    return file;
  };
  files.rename = async (from, to) => {
    await rename(from, to);
    killAt(to);
  };
  syncBuiltinESMExports();
}
const search = (index) =>
  index.ports.search({ ...plain, query: "needle", modes: ["code"], repository, now: 0 }, { signal });
for (let edit = 0; ; ) {
  const index = open();
  const { segments } = JSON.parse(readFileSync(join(folder(), "manifest.json"), "utf8"));
  isLast = segments.length === 7;
  // Each edit leaves a small segment, and the eighth puts them together.
  for (const last = isTimed || isLast ? edit + 1 : edit + 6; edit < last; edit += 1) {
    writeFileSync(join(root, `f${edit % 60}.ts`), `export const needle = "edited ${edit} ${process.pid}";\n`);
    await search(index);
  }
  await index.close();
}

function folder() {
  const all = join(homeDir, "index", "repositories");
  return join(all, readdirSync(all)[0]);
}
