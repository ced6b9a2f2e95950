import { lstat, readdir } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { readLine, readRegular } from "../regular-file.ts";
import { findFolders } from "./discover.ts";
import { realPath } from "./repository.ts";

/** What git opens of a git folder by itself, and how deep it looks for more in there. */
const parts: Readonly<Record<string, number>> = {
  HEAD: 0,
  index: 0,
  logs: 0,
  objects: 1,
  "objects/pack": 1,
  refs: 8,
  "packed-refs": 0,
  shallow: 0,
  reftable: 1,
  info: 1,
  worktrees: 1,
};
const mostLooked = 20_000;
const mostBorrowed = 100;
const largestList = 64 * 1024;

/**
 * Places from which git would read a repository that are no part of it. A link in the place of `.git` or of something in
 * there, or objects that it borrows, can make a folder the front of any repository of the account.
 */
export async function listElsewhere({ root }: { readonly root: string }): Promise<string[]> {
  const folders = await findFolders(root);
  if (folders === undefined) return [];
  const { gitDir, commonDir } = folders;
  const own = [root];
  if (dirname(gitDir) === join(commonDir, "worktrees") && (await namesBack(gitDir, root))) own.push(commonDir);
  const found = [gitDir, commonDir];
  for (const folder of new Set(found)) {
    for (const [part, depth] of Object.entries(parts)) found.push(...(await listLinks(join(folder, part), depth)));
  }
  found.push(...(await listBorrowed(join(commonDir, "objects"))));
  return [...new Set(found)].filter((place) => !own.some((folder) => lies(place, folder)));
}

const lies = (place: string, folder: string): boolean => place === folder || place.startsWith(folder + sep);

/** Where the links in this place lead. */
async function listLinks(path: string, depth: number): Promise<string[]> {
  const kind = await lstat(path).catch(() => undefined);
  if (kind?.isSymbolicLink()) return [realPath(path) ?? path];
  const found: string[] = [];
  const left = kind?.isDirectory() ? [{ folder: path, depth }] : [];
  for (let looked = 0, at = left.pop(); at !== undefined; at = left.pop()) {
    if (at.depth === 0) continue;
    for (const entry of await readdir(at.folder, { withFileTypes: true }).catch(() => [])) {
      const inside = join(at.folder, entry.name);
      looked += 1;
      // So many refs nobody has looked at: what they lead to is not known.
      if (looked > mostLooked) return [...found, unknown];
      if (entry.isSymbolicLink()) found.push(realPath(inside) ?? inside);
      else if (entry.isDirectory()) left.push({ folder: inside, depth: at.depth - 1 });
    }
  }
  return found;
}

/** A place that nobody registers. */
const unknown = sep;

/** A worktree's notes lie in its repository and name the worktree in turn: who wrote them may write there. */
async function namesBack(gitDir: string, root: string): Promise<boolean> {
  const named = await readLine(join(gitDir, "gitdir"));
  return named !== undefined && realPath(dirname(resolve(gitDir, named))) === root;
}

/** Objects of others, and what those borrow. */
async function listBorrowed(objects: string): Promise<string[]> {
  const found = new Set<string>();
  for (const left = [objects]; left.length > 0 && found.size < mostBorrowed; ) {
    const folder = left.pop() ?? "";
    const list = (await readRegular(join(folder, "info", "alternates"), largestList))?.toString("utf8") ?? "";
    for (const line of list.split("\n").filter((line) => line !== "" && !line.startsWith("#"))) {
      // Git takes off the quotes of a name that has some; nobody needs such a one.
      const place = line.startsWith('"') ? unknown : resolve(folder, line);
      const real = realPath(place) ?? place;
      if (!found.has(real)) left.push(real);
      found.add(real);
    }
  }
  return [...found];
}
