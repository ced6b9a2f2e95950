import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The set of the last release, which every later one is compared with. */
export const releasedPath = "contracts/released/contract.json";

/** What a tree without a release is compared with: everything is new. */
const nothing = { schemaVersion: "0.0.0", tools: {}, errors: {}, events: {} };

export function readReleased(root) {
  const file = join(root, releasedPath);
  return existsSync(file)
    ? { released: JSON.parse(readFileSync(file, "utf8")) }
    : { released: nothing, isMissing: true };
}

export function writeReleased(root, set) {
  const file = join(root, releasedPath);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, textOf(set));
}

/** A line for each definition: small, and two branches that changed different ones merge. */
function textOf({ schemaVersion, ...kinds }) {
  const head = `"schemaVersion":${JSON.stringify(schemaVersion)}`;
  const bodies = Object.entries(kinds).map(([kind, named]) => `${JSON.stringify(kind)}:{\n${linesOf(named)}\n}`);
  return `{\n${[head, ...bodies].join(",\n")}\n}\n`;
}

const linesOf = (named) =>
  Object.entries(named)
    .map(([name, definition]) => `${JSON.stringify(name)}:${JSON.stringify(definition)}`)
    .join(",\n");
