import { lstat, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Disk } from "./disk.ts";
import { withoutLinks } from "./ground.ts";
import { holdsNested, listIndex } from "./index-file.ts";
import { identity } from "./merged.ts";
import { branchRef, findCommit } from "./refs.ts";
import { type Repository, realPath } from "./repository.ts";
import { gitError } from "./run.ts";
import { type LinkedWorktree, listLinkedWorktrees, notesFolder } from "./worktrees.ts";

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
  readonly commit: string;
  /** A branch that is there; without one HEAD stands on the commit itself. */
  readonly branch?: string | undefined;
  /** The folder is left as it is, and so is the index. */
  readonly isEmpty?: boolean;
}

/**
 * Adds a worktree under a mark. It stays locked until `release`. The notes are written here and not by `git worktree`,
 * which would start further programs in a repository that we see only through a view.
 */
export async function addMarked(repository: Repository, ask: NewWorktree): Promise<LinkedWorktree> {
  const { mark, path, commit, branch, isEmpty = false } = ask;
  await mkdir(path, { recursive: true });
  refuseElsewhere(path);
  const gitDir = await addNotes(repository, ask).catch(async (error: unknown) => {
    // Nothing names it as ours yet, and nothing is in it.
    await rmdir(path).catch(() => undefined);
    throw error;
  });
  await writeFile(join(path, ".git"), `gitdir: ${gitDir}\n`, { flag: "wx" });
  if (!isEmpty) {
    const settings = ["core.sparseCheckout=false"];
    await repository.git(["read-tree", "-m", "-u", commit], { gitDir, workTree: path, settings });
  }
  refuseElsewhere(path);
  return { path, gitDir, branch: branch ?? null, lock: mark };
}

/** A parent that was exchanged for a link after it was judged leads somewhere else. */
function refuseElsewhere(path: string): void {
  if (withoutLinks(path) !== path || realPath(path) !== path) {
    throw gitError("worktree", "the folder is not where it should be");
  }
}

/** Git's notes about a worktree, put in place whole. */
async function addNotes({ commonDir }: Repository, { mark, path, commit, branch }: NewWorktree): Promise<string> {
  const around = notesFolder(commonDir);
  await mkdir(around, { recursive: true });
  if (realPath(around) !== around) throw gitError("worktree", "the repository keeps its worktrees elsewhere");
  const draft = await mkdtemp(join(around, "new-"));
  try {
    await writeNotes(draft, { mark, path, commit, branch });
    return await placeNotes(draft, join(around, basename(path).replace(/[^A-Za-z0-9_-]/g, "-") || "worktree"));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    await rmdir(around).catch(() => undefined);
    throw error;
  }
}

async function writeNotes(folder: string, { mark, path, commit, branch }: NewWorktree): Promise<void> {
  const { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email } = identity;
  const seconds = Math.floor(Date.now() / 1_000);
  const notes = {
    locked: `${mark}\n`,
    gitdir: `${join(path, ".git")}\n`,
    commondir: "../..\n",
    HEAD: branch === undefined ? `${commit}\n` : `ref: ${branch}\n`,
    ORIG_HEAD: `${commit}\n`,
    "logs/HEAD": `${"0".repeat(commit.length)} ${commit} ${name} <${email}> ${seconds} +0000\t\n`,
  };
  await mkdir(join(folder, "logs"));
  for (const [file, text] of Object.entries(notes)) await writeFile(join(folder, file), text, { flag: "wx" });
}

/** Moves notes to a place that is free, and answers which. */
async function placeNotes(draft: string, wanted: string): Promise<string> {
  for (let number = 0; ; number += 1) {
    const gitDir = number === 0 ? wanted : `${wanted}${number}`;
    // A folder that is empty would be replaced.
    if ((await lstat(gitDir).catch(() => undefined)) !== undefined) continue;
    try {
      await rename(draft, gitDir);
      return gitDir;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

const isTaken = (error: unknown): boolean =>
  ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

export async function release({ gitDir }: LinkedWorktree): Promise<void> {
  await rm(join(gitDir, "locked"), { force: true });
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
  await forgetNotes(repository, made);
}

/** Git's own notes about a worktree whose folder is gone. */
export async function forgetNotes({ commonDir }: Repository, { gitDir }: LinkedWorktree): Promise<void> {
  await rm(gitDir, { recursive: true, force: true });
  await rmdir(notesFolder(commonDir)).catch(() => undefined);
}

/** Takes back a branch that was made for a worktree, if it still stands where it began. */
export async function discardBranch(repository: Repository, branch: string, commit: string): Promise<void> {
  await repository.git(["update-ref", "-d", branchRef(branch), commit], { answers: [1, 128] });
}

/** Takes back a worktree that nobody has worked in; where anything has changed it stays. */
export async function discardFresh(
  repository: Repository,
  path: string,
  { branch, commit }: { branch: string; commit: string },
): Promise<void> {
  const worktrees = await listLinkedWorktrees(repository);
  const made = worktrees.find((one) => one.path === withoutLinks(path) && one.branch === branchRef(branch));
  if (made === undefined) return;
  const within = { gitDir: made.gitDir, workTree: made.path };
  const changes = await repository.git(["status", "--porcelain=v1", "-z", "--ignored"], within);
  if (changes.text !== "" || (await findCommit(repository, branchRef(branch))) !== commit) return;
  // Nobody has looked into a submodule, and a new worktree has none that is checked out.
  if (await holdsNested(new Disk(made.path), await listIndex(repository, within))) return;
  await rm(made.path, { recursive: true, force: true });
  await forgetNotes(repository, made);
  await discardBranch(repository, branch, commit);
}

export const isWhole = (worktree: LinkedWorktree | undefined): worktree is LinkedWorktree =>
  worktree !== undefined && worktree.lock === null && realPath(worktree.path) !== undefined;
