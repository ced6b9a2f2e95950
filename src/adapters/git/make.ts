import type { Hand, Turn } from "../../domain/errand.ts";
import type { MadeWorktree, MakeWorktree } from "../../domain/worktree/port.ts";
import { checkGround, withoutLinks } from "./ground.ts";
import type { GitHost } from "./host.ts";
import { addMarked, discardBranch, discardMarked, isWhole, markOf, release } from "./marked.ts";
import { branchRef, countBehind, findBase, findCommit } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { findLinkedWorktree, type LinkedWorktree } from "./worktrees.ts";

/** Makes worktrees: on a branch that exists, or on a new one that begins at its base. */
export const makeWorktrees = (host: GitHost): Hand<MakeWorktree, MadeWorktree> => ({
  run: (ask, turn) => host.work(ask.repositoryPath, turn.signal, (repository) => make(host, repository, ask, turn)),
  undo: (ask, turn) =>
    host.work(ask.repositoryPath, turn.signal, (repository) => discardMarked(repository, markOf(turn.key), ask.path)),
});

async function make(host: GitHost, repository: Repository, ask: MakeWorktree, turn: Turn): Promise<MadeWorktree> {
  const mark = markOf(turn.key);
  if (turn.attempt > 1) {
    await discardMarked(repository, mark, ask.path);
    const earlier = await findLinkedWorktree(repository, withoutLinks(ask.path));
    if (isWhole(earlier) && earlier.branch === branchRef(ask.branch)) return describe(repository, ask, earlier);
  }
  const { path } = await checkGround(repository, ask, host);
  const existing = await findCommit(repository, branchRef(ask.branch));
  const begin = ask.commit ?? (await findBase(repository, ask.baseBranch))?.commit ?? "";
  const commit = existing ?? begin;
  try {
    const branch = branchRef(ask.branch);
    if (existing === undefined) await repository.git(["update-ref", branch, commit, ""]);
    const made = await addMarked(repository, { mark, path, commit, branch });
    await release(made);
    return await describe(repository, ask, made);
  } catch (error) {
    // What cannot be taken back now is taken back by the next attempt, or by `undo`.
    await takeBack(
      repository,
      { mark, path },
      existing === undefined ? { branch: ask.branch, commit } : undefined,
    ).catch(() => undefined);
    throw error;
  }
}

async function takeBack(
  repository: Repository,
  { mark, path }: { mark: string; path: string },
  made: { branch: string; commit: string } | undefined,
): Promise<void> {
  await discardMarked(repository, mark, path);
  if (made) await discardBranch(repository, made.branch, made.commit);
}

async function describe(repository: Repository, ask: MakeWorktree, made: LinkedWorktree): Promise<MadeWorktree> {
  const base = await findBase(repository, ask.baseBranch);
  return {
    repositoryPath: repository.path,
    path: made.path,
    head: (await findCommit(repository, branchRef(ask.branch))) ?? "",
    behind: base === undefined ? null : await countBehind(repository, base.ref),
    skippedFilters: await listMissedFilters(repository, made),
  };
}

/** Filters that files of this checkout ask for: what is on the disk is what git stores, not what the filter would make. */
async function listMissedFilters(repository: Repository, { gitDir, path }: LinkedWorktree): Promise<string[]> {
  const within = { gitDir, workTree: path };
  const { stdout } = await repository.git(["ls-files", "-z"], within);
  const answer = await repository.git(["check-attr", "-z", "--stdin", "filter"], { ...within, input: stdout });
  const values = answer.stdout
    .toString("utf8")
    .split("\0")
    .filter((_, at) => at % 3 === 2);
  return [...new Set(values)].filter((value) => !notNamed.has(value)).sort();
}

/** What git says of a file that asks for no filter, or for none by name. */
const notNamed = new Set(["unspecified", "unset", "set"]);
