import { existsSync } from "node:fs";
import { Refusal } from "../../contract/refusal.ts";
import type { Hand } from "../../domain/errand.ts";
import type { StoredWorktree, StoreWorktree } from "../../domain/worktree/port.ts";
import { countContent } from "./counts.ts";
import { withoutLinks } from "./ground.ts";
import type { GitHost } from "./host.ts";
import { findMerge, identity } from "./merged.ts";
import { countCommits, findBase, findUpstream } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { type Snapshot, type Source, takeSnapshot } from "./snapshot.ts";
import { listMentionedCommits } from "./state.ts";
import { findLinkedWorktree } from "./worktrees.ts";

/** Stores all that a worktree holds under a hidden ref of its repository. */
export const storeWorktrees = (host: GitHost): Hand<StoreWorktree, StoredWorktree | null> => ({
  run: (ask, turn) => host.work(ask.repositoryPath, turn.signal, (repository) => store(repository, ask)),
});

async function store(repository: Repository, ask: StoreWorktree): Promise<StoredWorktree | null> {
  const source = await findSource(repository, ask.path);
  if (source === undefined) return null;
  const snapshot = await takeSnapshot(repository, source);
  const { branch, head } = snapshot;
  const commit = await commitSnapshot(repository, source, snapshot, ask.at);
  const ref = `refs/crewdeck/vault/${ask.worktreeId}/${ask.number}`;
  await repository.git(["update-ref", ref, commit]);
  const { conflicts: _conflicts, ...trees } = snapshot.trees;
  const { bytes, ...counts } = await countContent(repository, source, snapshot);
  const base = await findBase(repository, ask.baseBranch);
  const commits = head === null || base === undefined ? 0 : await countCommits(repository, head, base.commit);
  const isClean = counts.staged + counts.unstaged + counts.untracked === 0;
  return {
    repositoryPath: repository.path,
    ref,
    branch,
    head,
    trees: { commit, ...trees },
    counts: { commits, ...counts },
    bytes,
    isMerged: isClean && (await isMerged(repository, head, base)),
  };
}

/** The worktree at a path; undefined where neither a folder nor git's notes about it are left. */
export async function findSource(repository: Repository, path: string): Promise<Source | undefined> {
  const place = withoutLinks(path);
  const worktree = await findLinkedWorktree(repository, place);
  const hasFolder = existsSync(place);
  if (worktree === undefined) {
    if (!hasFolder) return undefined;
    throw new Refusal(
      "INVALID_STATE",
      "The folder is not a worktree of that repository.",
      "Remove it yourself if you no longer need it.",
    );
  }
  if (worktree.lock !== null) {
    throw new Refusal(
      "INVALID_STATE",
      "The worktree is locked.",
      "Unlock it with `git worktree unlock` and ask again.",
    );
  }
  return { gitDir: worktree.gitDir, folder: hasFolder ? place : undefined };
}

/** One commit that holds every tree, and every commit that would be lost with the worktree. */
async function commitSnapshot(
  repository: Repository,
  source: Source,
  { head, trees }: Snapshot,
  at: number,
): Promise<string> {
  const { index, ...folders } = trees;
  const lines = Object.entries(folders).map(([name, oid]) => `040000 tree ${oid}\t${name}`);
  if (index !== null) lines.push(`100644 blob ${index}\tindex`);
  const { text: tree } = await repository.git(["mktree"], { input: `${lines.join("\n")}\n` });
  const kept = await listMentionedCommits(repository, source.gitDir);
  const parents = [...new Set([...(head === null ? [] : [head]), ...kept])].flatMap((parent) => ["-p", parent]);
  const time = `${Math.floor(at / 1_000)} +0000`;
  const env = { ...identity, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  return (await repository.git(["commit-tree", "-m", "A worktree that was removed", ...parents, tree], { env })).text;
}

/** Somebody's word for it is not enough: the base must have the work, here or where it was last fetched from. */
async function isMerged(
  repository: Repository,
  head: string | null,
  base: { ref: string; commit: string } | undefined,
): Promise<boolean> {
  if (head === null || base === undefined) return false;
  for (const commit of [base.commit, await findUpstream(repository, base.ref)]) {
    if (commit !== undefined && (await findMerge(repository, head, commit)) !== undefined) return true;
  }
  return false;
}
