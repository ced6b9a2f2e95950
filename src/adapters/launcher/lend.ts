import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Puts a file of ours into an instance's own work tree, with an ignore file beside it, so that neither is ever seen as
 * work or committed. What the repository has there itself is not touched, and no link is followed.
 */
export function lendFile(
  workTree: string,
  { path, content }: { readonly path: string; readonly content: string },
): boolean {
  const folder = join(workTree, dirname(path));
  if (!isThere(folder)) mkdirSync(folder);
  if (!lstatSync(folder).isDirectory()) return false;
  const ignore = join(folder, ".gitignore");
  const file = join(workTree, path);
  if (isThere(ignore) || isThere(file)) return false;
  writeFileSync(ignore, `/.gitignore\n/${basename(path)}\n`, { flag: "wx" });
  writeFileSync(file, content, { flag: "wx", mode: 0o600 });
  return true;
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
