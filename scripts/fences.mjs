/**
 * Proves that nothing points the wrong way: rooms, roles inside a noun, the order of nouns, and what code may do at
 * all, and how tests wait. `--root DIR` looks at another tree.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listAssertions } from "./fences/assertions.mjs";
import { listMisconduct } from "./fences/conduct.mjs";
import { judgeDeck } from "./fences/deck.mjs";
import { listImports } from "./fences/imports.mjs";
import { judgeNoun, judgePlace } from "./fences/nouns.mjs";
import { listPassages } from "./fences/operations.mjs";
import { listIndiscretions } from "./fences/privacy.mjs";
import { listChangesInQueries } from "./fences/queries.mjs";
import { judgeRoom } from "./fences/rooms.mjs";
import { listForeignTables } from "./fences/tables.mjs";
import { listToolFaults, listToolsNamed, toolNamesIn } from "./fences/tools.mjs";
import { isOfTests, listHaste } from "./fences/waiting.mjs";
import { listFiles } from "./steps/files.mjs";
import { readRootOption } from "./steps/root.mjs";
import { parseSource } from "./steps/syntax.mjs";

const mostLines = 500;
const isCode = (path) => /\.(ts|tsx|mts|mjs)$/.test(path) && !path.includes(".generated.");

const root = readRootOption();
const toolNames = listFiles(root, "src/tools")
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) => toolNamesIn(parse(path).tree));
const breaches = [
  ...listFiles(root, "src")
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap(judgeSource),
  ...["src", "tests", "scripts", "bench"]
    .flatMap((folder) => listFiles(root, folder))
    .filter(isCode)
    .flatMap(judgeLength),
  ...["src/testing", "tests"]
    .flatMap((folder) => listFiles(root, folder))
    .filter(isOfTests)
    .flatMap(judgeTest),
];
for (const { path, line, what, fence } of breaches) console.log(`${path}:${line}  ${what}  ${fence}`);
console.log(breaches.length === 0 ? "every fence holds" : `${breaches.length} broken`);
process.exitCode = breaches.length === 0 ? 0 : 1;

function judgeSource(path) {
  const source = parse(path);
  const imports = listImports(path, source);
  const place = judgePlace(path);
  const wrongWays = imports.flatMap((wanted) =>
    [judgeRoom(path, wanted), judgeNoun(path, wanted), judgeDeck(path, wanted)]
      .filter(Boolean)
      .map((fence) => ({ line: wanted.line, what: wanted.target ?? "import()", fence })),
  );
  return [
    ...(place ? [{ line: 1, what: "the folder", fence: place }] : []),
    ...wrongWays,
    ...listMisconduct(path, source, imports),
    ...listIndiscretions(path, source, imports),
    ...listAssertions(path, source),
    ...listPassages(path, source),
    ...listChangesInQueries(path, source),
    ...listToolFaults(path, source, imports),
    ...listToolsNamed(path, source, toolNames),
    ...listForeignTables(path, source),
  ].map((breach) => ({ path, ...breach }));
}

function judgeTest(path) {
  const source = parse(path);
  return listHaste(source, listImports(path, source)).map((breach) => ({ path, ...breach }));
}

function parse(path) {
  return parseSource(readFileSync(join(root, path), "utf8"), path);
}

function judgeLength(path) {
  const lines = readFileSync(join(root, path), "utf8").split("\n").length - 1;
  return lines > mostLines
    ? [{ path, line: mostLines + 1, what: `${lines} lines`, fence: `no file has more than ${mostLines}` }]
    : [];
}
