import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { withoutLinks } from "./ground.ts";
import { branchRef } from "./refs.ts";
import { type Repository, realPath } from "./repository.ts";
import { gitError } from "./run.ts";
import { type LinkedWorktree, listLinkedWorktrees } from "./worktrees.ts";

/**
 * A worktree is locked under our mark from the first moment git knows of it until it is whole. So whatever a crash has
 * left half made can be told from what is whole, and from what is somebody else's.
 */
export const markOf = (key: string): string => `crewdeck is at work: ${key}`;

/** A mark can be copied: it counts only at the place for which it was made. */
const findMarked = async (repository: Repository, mark: string, path: string): Promise<LinkedWorktree | undefined> =>
  (await listLinkedWorktrees(repository)).find((worktree) => worktree.lock === mark && worktree.path === path);

interface NewWorktree {
  readonly mark: string;
  readonly path: string;
  /** What is checked out, beside options such as `-b NAME`. */
  readonly options: readonly string[];
  readonly commit: string;
}

/** Adds a worktree under a mark. It stays locked until `release`. */
export async function addMarked(repository: Repository, ask: NewWorktree): Promise<LinkedWorktree> {
  const { mark, path, options, commit } = ask;
  const lock = ["--lock", "--reason", mark];
  await repository.git(["worktree", "add", ...lock, ...options, "--end-of-options", path, commit]);
  const made = await findMarked(repository, mark, path);
  // A parent that was exchanged for a link after it was judged has led git somewhere else.
  if (made === undefined || withoutLinks(path) !== path) {
    throw gitError("worktree", "the folder is not where it should be");
  }
  return made;
}

export async function release(repository: Repository, { path }: LinkedWorktree): Promise<void> {
  await repository.git(["worktree", "unlock", "--end-of-options", path]);
}

/** Removes what stands at a place under a mark, and nothing else. */
export async function discardMarked(repository: Repository, mark: string, wanted: string): Promise<void> {
  const made = await findMarked(repository, mark, withoutLinks(wanted));
  if (made === undefined) return;
  // What names it as ours goes last: whoever is interrupted here must know it again.
  for (const name of await readdir(made.path).catch(() => [])) {
    if (name !== ".git") await rm(join(made.path, name), { recursive: true, force: true });
  }
  await rm(made.path, { recursive: true, force: true });
  await repository.git(["worktree", "remove", "--force", "--force", "--end-of-options", made.path]);
}

/** Takes back a branch that was made for a worktree, if it still stands where it began. */
export async function discardBranch(repository: Repository, branch: string, commit: string): Promise<void> {
  await repository.git(["update-ref", "-d", branchRef(branch), commit], { answers: [1, 128] });
}

export const isWhole = (worktree: LinkedWorktree | undefined): worktree is LinkedWorktree =>
  worktree !== undefined && worktree.lock === null && realPath(worktree.path) !== undefined;
