/**
 * Finds exports of src that no other file imports: nobody can tell whether they are still meant for somebody, and what
 * is dead behind them is never noticed. `--root DIR` looks at another tree.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listExports } from "./exports/exported.mjs";
import { everything, listGuesses, listUses } from "./exports/uses.mjs";
import { listFiles } from "./steps/files.mjs";
import { readRootOption } from "./steps/root.mjs";
import { parseSource } from "./steps/syntax.mjs";

const root = readRootOption();
const sources = readFolder("src").filter(({ path }) => /\.tsx?$/.test(path));
const readers = [
  ...sources,
  ...["scripts", "bench", "tests", "bin", "vitest.config.ts", "vitest.unit.config.ts"].flatMap(readFolder),
];
const used = new Set(readers.flatMap(usesOf));
const unused = sources.flatMap(({ path, source }) =>
  listExports(source)
    .filter(({ name }) => ![name, everything].some((taken) => used.has(`${path} ${taken}`)))
    .map(({ name, line }) => `${path}:${line}  ${name}  no other file imports it`),
);
for (const line of unused) console.log(line);
console.log(unused.length === 0 ? "every export is imported" : `${unused.length} to remove`);
process.exitCode = unused.length === 0 ? 0 : 1;

function readFolder(folder) {
  return listFiles(root, folder)
    .filter((path) => /\.(tsx?|m?js)$/.test(path))
    .map((path) => ({ path, source: parseSource(readFileSync(join(root, path), "utf8"), path) }));
}

/** A file does not make its own exports needed. */
function usesOf({ path, source }) {
  const isScript = /\.m?js$/.test(path);
  const guesses = isScript
    ? listGuesses(
        source,
        sources.map((file) => file.path),
      )
    : [];
  return [...listUses(path, source), ...guesses]
    .filter(({ target }) => target !== path)
    .map(({ target, name }) => `${target} ${name}`);
}
