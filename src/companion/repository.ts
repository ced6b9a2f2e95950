import { realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readOwnFile } from "../adapters/regular-file.ts";

/** A working copy, found by looking at files alone: git would take longer than a hook may. */
export interface Repository {
  readonly root: string;
  /** The checkout it belongs to; the same folder unless it is a worktree. */
  readonly main: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

export function findRepository(folder: string): Repository | undefined {
  for (let at = realPath(folder); ; at = dirname(at)) {
    const found = repositoryAt(at);
    if (found !== undefined) return found;
    if (dirname(at) === at) return undefined;
  }
}

/** What setup is for, git or not. */
export type Copy = Pick<Repository, "root" | "main">;

export const copyAt = (folder: string): Copy => findRepository(folder) ?? { root: folder, main: folder };

function repositoryAt(root: string): Repository | undefined {
  const dotGit = join(root, ".git");
  const stats = statSync(dotGit, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return { root, main: root, gitDir: dotGit, commonDir: dotGit };
  const [, target] = /^gitdir: (.+?)\r?\n?$/.exec(stats?.isFile() ? read(dotGit) : "") ?? [];
  if (target === undefined) return undefined;
  const gitDir = resolve(root, target);
  const common = read(join(gitDir, "commondir")).trim();
  if (common === "") return { root, main: root, gitDir, commonDir: gitDir };
  const commonDir = realPath(resolve(gitDir, common));
  const main = basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;
  return { root, main, gitDir, commonDir };
}

/** Undefined where no branch is checked out. */
export const branchOf = ({ gitDir }: Repository): string | undefined =>
  /^ref: refs\/heads\/(.+?)\s*$/.exec(read(join(gitDir, "HEAD")))?.[1];

/**
 * What people call this repository, the best name first: as its host does, by its folder, by its path. Teams agree on
 * one of them, but not always on the same.
 */
export function namesOf({ main, commonDir }: Repository): [string, ...string[]] {
  const [, section = ""] = /\[remote "origin"\]([^[]*)/.exec(read(join(commonDir, "config"))) ?? [];
  const [, url = ""] = /^\s*url\s*=\s*(.+?)\s*$/m.exec(section) ?? [];
  const [, owner, name] = /(?:^|[/:])([^/:]+)\/([^/:]+?)(?:\.git)?\/?$/.exec(hasHost(url) ? url : "") ?? [];
  const hosted = owner === undefined || name === undefined ? [] : [`${owner}/${name}`, name];
  const [first = main, ...rest] = [...new Set([...hosted, basename(main), main])];
  return [first, ...rest];
}

/** A folder of this machine is no place that others know by name. */
const hasHost = (url: string): boolean => /^(?:[a-z+]+:\/\/|[^/\\]+@[^/\\]+:)/i.test(url) && !url.startsWith("file:");

/** A file as the repository names it; undefined outside of it. */
export function pathInside({ root }: Pick<Repository, "root">, file: string, cwd: string): string | undefined {
  const absolute = resolve(cwd, file);
  const inside = relative(root, join(realPath(dirname(absolute)), basename(absolute)));
  if (inside === "" || inside.startsWith(`..${sep}`) || inside === ".." || isAbsolute(inside)) return undefined;
  return inside.split(sep).join("/");
}

/** As far as it exists; a file that is about to be made has a folder that may be about to be made. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

/** A repository may be anybody's: a pipe in the place of a file would hold a client up for ever. */
const read = (path: string): string => readOwnFile(path) ?? "";
