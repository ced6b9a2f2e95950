import { join } from "node:path";
import { copyRegular } from "../regular-file.ts";
import type { Disk, Mode } from "./disk.ts";
import { type RawName, readNames } from "./names.ts";
import type { Repository, Within } from "./repository.ts";

export interface IndexEntry {
  readonly mode: Mode;
  readonly oid: string;
  /** 0 where all is well; 1 to 3 are the sides of a conflict. */
  readonly stage: number;
  readonly name: RawName;
}

/** Ten million files. */
export const largestIndex = 1024 ** 3;

/** A copy of a worktree's index that needs no other file; undefined where there is none. The original stays untouched. */
export async function copyIndex(
  repository: Repository,
  worktree: Within & { gitDir: string },
  copy: string,
): Promise<boolean> {
  if (!(await copyIndexAsIs(worktree, copy))) return false;
  await repository.git(["update-index", ...plainIndex], { ...worktree, indexFile: copy });
  return true;
}

/** The same, for who changes the copy next and says `plainIndex` with it: until then it may need files of the original. */
export const copyIndexAsIs = ({ gitDir }: { readonly gitDir: string }, copy: string): Promise<boolean> =>
  copyRegular(join(gitDir, "index"), copy, largestIndex);

export const plainIndex = ["--no-split-index", "--no-untracked-cache", "--no-fsmonitor"] as const;

export async function listIndex(repository: Repository, within: Within): Promise<IndexEntry[]> {
  const { stdout } = await repository.git(["ls-files", "--stage", "-z"], within);
  return readNames(stdout).map((line) => {
    const tab = line.indexOf("\t");
    const [mode, oid, stage] = line.slice(0, tab).split(" ");
    return { mode: mode as Mode, oid: oid ?? "", stage: Number(stage), name: line.slice(tab + 1) };
  });
}

/** A submodule that is checked out has a repository of its own, of which nothing is known or kept here. */
export async function holdsNested(disk: Disk, entries: readonly IndexEntry[]): Promise<boolean> {
  for (const { mode, name } of entries) if (mode === "160000" && (await disk.exists(`${name}/.git`))) return true;
  return false;
}
