import type { VaultCounts } from "../../domain/worktree/port.ts";
import type { GitArgs } from "./commands.ts";
import { type RawName, readNames } from "./names.ts";
import type { Repository } from "./repository.ts";
import type { Snapshot, Source } from "./snapshot.ts";

/** What a person would be told by `git status`, in numbers, and how large it is. */
export async function countContent(
  repository: Repository,
  source: Source,
  snapshot: Snapshot,
): Promise<Omit<VaultCounts, "commits"> & { bytes: number }> {
  const { untracked, tracked } = snapshot;
  const unstaged = new Set(await listUnstaged(repository, source));
  const kept = [...untracked, ...tracked.filter(({ name }) => unstaged.has(name))];
  return {
    staged: (await listStaged(repository, snapshot)).length,
    unstaged: unstaged.size,
    untracked: untracked.length,
    ignored: (await listIgnored(repository, source)).length,
    bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

async function listUnstaged({ git }: Repository, { gitDir, folder }: Source): Promise<RawName[]> {
  if (folder === undefined) return [];
  const flags = ["--porcelain=v1", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all"];
  const { stdout } = await git(["status", ...flags], { gitDir, workTree: folder });
  return readNames(stdout).flatMap((line) => (line[1] === " " ? [] : [line.slice(3)]));
}

async function listStaged({ git }: Repository, { head, trees }: Snapshot): Promise<RawName[]> {
  const args: GitArgs =
    head === null
      ? ["ls-tree", "-r", "-z", "--name-only", trees.staged]
      : ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", head, trees.staged];
  return readNames((await git(args)).stdout);
}

/** A folder that is ignored as a whole counts once. */
async function listIgnored({ git }: Repository, { gitDir, folder }: Source): Promise<RawName[]> {
  if (folder === undefined) return [];
  const flags = ["--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  return readNames((await git(["ls-files", ...flags], { gitDir, workTree: folder })).stdout);
}
