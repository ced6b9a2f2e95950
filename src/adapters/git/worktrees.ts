import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
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

/** Every linked worktree. Read from git's own notes, because `git worktree list` does not say where those are. */
export function listLinkedWorktrees({ commonDir }: Repository): LinkedWorktree[] {
  return namesIn(join(commonDir, "worktrees")).flatMap((name) => {
    const gitDir = join(commonDir, "worktrees", name);
    const link = readNote(join(gitDir, "gitdir"));
    const head = readNote(join(gitDir, "HEAD"));
    if (link === undefined || head === undefined) return [];
    const place = dirname(resolve(gitDir, link));
    const branch = head.startsWith("ref: ") ? head.slice("ref: ".length) : null;
    return [
      { path: realPath(place) ?? realParent(place), gitDir, branch, lock: readNote(join(gitDir, "locked")) ?? null },
    ];
  });
}

export const findLinkedWorktree = (repository: Repository, path: string): LinkedWorktree | undefined =>
  listLinkedWorktrees(repository).find((worktree) => worktree.path === path);

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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readNote(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").replace(/\n$/, "");
  } catch {
    return undefined;
  }
}
