import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The lines of one list, whichever half of the data it is of. */
export function readList(folder, kind) {
  const name = readdirSync(folder).find((file) => file.startsWith(`${kind}-`) && file.endsWith(".jsonl"));
  if (name === undefined) return [];
  const lines = readFileSync(join(folder, name), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Where a repository's copy lies; undefined where there is none. */
export function findMirror(mirrors, repo) {
  const path = join(mirrors, repo.replace("/", "+"), "repo");
  return existsSync(path) ? path : undefined;
}

/** Git as the data's makers would ask it: only for facts that say what is right. */
export function ask(mirror, ...args) {
  return execFileSync("git", ["-C", mirror, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  }).trimEnd();
}

/** The default branch as it was at a moment, in seconds. */
export function baseAt(mirror, seconds) {
  const commit = ask(mirror, "rev-list", "-1", "--first-parent", `--before=${seconds}`, "HEAD");
  return commit === "" ? null : { branch: "main", commit };
}

/** The same few of many each time, spread over all of them. */
export function spread(items, most) {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]);
}

export const groupBy = (items, keyOf) => {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};
