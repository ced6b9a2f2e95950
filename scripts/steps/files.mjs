import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The files at or below a path, relative to the root, with forward slashes and in a stable order; none if it is not there. */
export function listFiles(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => listFiles(root, `${path}/${name}`));
}
