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
export async function listLinkedWorktrees({ commonDir }: Pick<Repository, "commonDir">): Promise<LinkedWorktree[]> {
  const found: LinkedWorktree[] = [];
  for (const name of await readdir(notesFolder(commonDir)).catch(() => [])) {
    const gitDir = join(notesFolder(commonDir), name);
    // Notes are removed with their worktree: what a link makes look like notes may be anybody's folder.
    const worktree = realPath(gitDir) === gitDir ? await readWorktree(gitDir) : undefined;
    if (worktree !== undefined) found.push(worktree);
  }
  return found;
}

/** Where git keeps its notes about linked worktrees. */
export const notesFolder = (commonDir: string): string => join(commonDir, "worktrees");

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

/** Whether the folder's own `.git` names these notes. Of a folder with nothing in it nothing can be lost. */
async function pointsBack(folder: string, gitDir: string): Promise<boolean> {
  const [first, ...others] = await readdir(folder).catch(() => [".git", ""]);
  if (first === undefined) return true;
  const line = (await readLine(join(folder, ".git"))) ?? null;
  if (line === "" && first === ".git" && others.length === 0) return true;
  const named = /^gitdir: (.+)$/.exec(line ?? "")?.[1];
  return named !== undefined && realPath(resolve(folder, named)) === realPath(gitDir);
}

export const findLinkedWorktree = async (repository: Repository, path: string): Promise<LinkedWorktree | undefined> =>
  (await listLinkedWorktrees(repository)).find((worktree) => worktree.path === path);

/** Whether a branch is checked out in the main folder or any other. */
export async function isCheckedOut(repository: Repository, ref: string): Promise<boolean> {
  if ((await readLine(join(repository.commonDir, "HEAD"))) === `ref: ${ref}`) return true;
  return (await listLinkedWorktrees(repository)).some(({ branch }) => branch === ref);
}

/** A folder that is gone still has a parent whose links can be followed. */
function realParent(path: string): string {
  const parent = realPath(dirname(path));
  return parent === undefined ? path : join(parent, path.slice(dirname(path).length + 1));
}
