import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import type { Ground, GroundAsk } from "../../domain/worktree/port.ts";
import { branchRef, findBase, findCommit } from "./refs.ts";
import { type Repository, realPath } from "./repository.ts";
import { isCheckedOut } from "./worktrees.ts";

interface GroundRules {
  /** Beside the neighbourhood of the repository, worktrees may lie in here. */
  readonly dataDir: string;
}

/** Judges where a worktree should go and what should be checked out there. Answers both places without links. */
export async function checkGround(repository: Repository, ask: GroundAsk, rules: GroundRules): Promise<Ground> {
  const path = checkPlace(repository, ask.path, rules);
  if (ask.branch !== undefined) await checkBranches(repository, ask.branch, ask.baseBranch ?? null);
  return { repositoryPath: repository.path, path };
}

/** A place for a folder that is not there yet, or is empty. */
export function checkPlace(repository: Repository, wanted: string, { dataDir }: GroundRules): string {
  const path = withoutLinks(wanted);
  const roots = [...repository.neighbourhoods, realPath(dataDir) ?? dataDir];
  const root = roots.find((folder) => isInside(path, folder));
  if (root === undefined) {
    throw refuse(
      "A worktree lies beside its repository.",
      "Choose a path in the folder that holds the repository, such as the repository's own with -worktrees/NAME behind.",
    );
  }
  if (isInside(path, repository.commonDir) || path.split(sep).some((name) => name.toLowerCase() === ".git")) {
    throw refuse("A worktree never lies inside of .git.", "Choose a path beside the repository.");
  }
  for (let folder = dirname(path); isInside(folder, root); folder = dirname(folder)) {
    if (kindOf(join(folder, ".git")) === undefined) continue;
    throw refuse("A worktree never lies inside of another worktree.", "Choose a path beside the repository.");
  }
  checkIsFree(path);
  return path;
}

async function checkBranches(repository: Repository, branch: string, baseBranch: string | null): Promise<void> {
  const { code } = await repository.git(["check-ref-format", "--branch", branch], { answers: [1, 128] });
  if (code !== 0) throw refuse("Git does not take that name for a branch.", "Choose another name.");
  if ((await findCommit(repository, branchRef(branch))) !== undefined) {
    if (!(await isCheckedOut(repository, branchRef(branch)))) return;
    throw new Refusal(
      "CONFLICT",
      "That branch is checked out in another folder.",
      "Use that folder, or another branch.",
    );
  }
  if ((await findBase(repository, baseBranch)) !== undefined) return;
  throw refuse(
    baseBranch === null ? "The repository has no commit yet." : "There is no base branch of that name.",
    "Name a branch that exists as base_branch.",
  );
}

/** Only a folder that is not there, or that holds nothing, is taken. */
function checkIsFree(path: string): void {
  const kind = kindOf(path);
  if (kind === undefined || (kind === "folder" && readdirSync(path).length === 0)) return;
  throw new Refusal("CONFLICT", "Something already exists at this path.", "Choose a path that does not exist yet.");
}

function kindOf(path: string): "folder" | "link" | "other" | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other";
  } catch {
    return undefined;
  }
}

/** The path with every link on the way followed, as far as it exists. A link in its last place stays one. */
export function withoutLinks(path: string): string {
  const missing = [basename(path)];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const real = realPath(folder);
    if (real !== undefined) return join(real, ...missing);
    if (kindOf(folder) !== undefined) throw refuse("A symbolic link on the path is broken.", "Choose another path.");
    missing.unshift(basename(folder));
  }
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const refuse = (message: string, hint: string): Refusal => new Refusal("INVALID_INPUT", message, hint);
