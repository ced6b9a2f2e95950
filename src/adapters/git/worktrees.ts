import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readLine } from "../regular-file.ts";
import { type Repository, realPath } from "./repository.ts";

/** A linked worktree as its repository knows it. */
export interface LinkedWorktree {
  /** Where it is, or was when git last heard of it. */
  readonly path: string;
  /** The folder in which git keeps what it notes for this worktree alone. */
  readonly gitDir: string;
  /** A full ref name; null where HEAD is detached. */
  readonly branch: string | null;
  /** Why it must not be removed; null where nobody said so. */
  readonly lock: string | null;
}

/**
 * Every linked worktree. Read from git's own notes, because `git worktree list` does not say where those are. Notes can be
 * written by anybody who works in the repository, so a folder that does not name them in turn is none of its worktrees.
 */
export async function listLinkedWorktrees({ commonDir }: Repository): Promise<LinkedWorktree[]> {
  const found: LinkedWorktree[] = [];
  for (const name of await readdir(join(commonDir, "worktrees")).catch(() => [])) {
    const worktree = await readWorktree(join(commonDir, "worktrees", name));
    if (worktree !== undefined) found.push(worktree);
  }
  return found;
}

async function readWorktree(gitDir: string): Promise<LinkedWorktree | undefined> {
  const link = await readLine(join(gitDir, "gitdir"));
  const head = await readLine(join(gitDir, "HEAD"));
  if (link === undefined || head === undefined) return undefined;
  const place = dirname(resolve(gitDir, link));
  const real = realPath(place);
  if (real !== undefined && !(await pointsBack(real, gitDir))) return undefined;
  const branch = head.startsWith("ref: ") ? head.slice("ref: ".length) : null;
  return { path: real ?? realParent(place), gitDir, branch, lock: (await readLine(join(gitDir, "locked"))) ?? null };
}

/** Whether the folder's own `.git` names these notes. Of an empty folder nothing can be lost. */
async function pointsBack(folder: string, gitDir: string): Promise<boolean> {
  if ((await readdir(folder).catch(() => [".git"])).length === 0) return true;
  const named = /^gitdir: (.+)$/.exec((await readLine(join(folder, ".git"))) ?? "")?.[1];
  return named !== undefined && realPath(resolve(folder, named)) === realPath(gitDir);
}

export const findLinkedWorktree = async (repository: Repository, path: string): Promise<LinkedWorktree | undefined> =>
  (await listLinkedWorktrees(repository)).find((worktree) => worktree.path === path);

/** Whether a branch is checked out in the main folder or any other. */
export async function isCheckedOut(repository: Repository, ref: string): Promise<boolean> {
  const { stdout } = await repository.git(["worktree", "list", "--porcelain", "-z"]);
  return stdout.toString("utf8").split("\0").includes(`branch ${ref}`);
}

/** A folder that is gone still has a parent whose links can be followed. */
function realParent(path: string): string {
  const parent = realPath(dirname(path));
  return parent === undefined ? path : join(parent, path.slice(dirname(path).length + 1));
}
