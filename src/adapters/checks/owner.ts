import { lstat, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { findRepository } from "../evidence/git-repository.ts";
import { readLine } from "../regular-file.ts";

/**
 * What stands for a repository in a permit: its git folder, the same for all its worktrees, so that one permit serves
 * them all. A folder counts as a worktree only if the repository itself names it: a `.git` file can be written by
 * anyone and may point at a repository that was allowed.
 */
export async function ownerOf(folder: string, signal: AbortSignal): Promise<string> {
  const root = await realpath(folder);
  const repository = await findRepository(root, signal);
  if (repository?.root !== root) return root;
  const dotGit = join(root, ".git");
  const gitDir = await realpath(repository.gitDir);
  if ((await lstat(dotGit)).isDirectory()) return gitDir;
  return (await pointsBack(gitDir, dotGit)) ? realpath(await commonDirOf(gitDir)) : root;
}

/** Whether a worktree's folder in the repository names this very `.git` file. */
async function pointsBack(gitDir: string, dotGit: string): Promise<boolean> {
  const place = ((await readLine(join(gitDir, "gitdir"))) ?? "").trim();
  return place !== "" && (await realpath(resolve(gitDir, place)).catch(() => "")) === dotGit;
}

async function commonDirOf(gitDir: string): Promise<string> {
  const named = ((await readLine(join(gitDir, "commondir"))) ?? "").trim();
  return named === "" ? dirname(dirname(gitDir)) : resolve(gitDir, named);
}
