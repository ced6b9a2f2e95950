import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import type { Hand, Turn } from "../../domain/errand.ts";
import type { RestoredWorktree, RestoreWorktree } from "../../domain/worktree/port.ts";
import { Disk, type OnDisk } from "./disk.ts";
import { checkPlace, withoutLinks } from "./ground.ts";
import type { GitHost } from "./host.ts";
import { addMarked, discardMarked, isWhole, markOf, release } from "./marked.ts";
import { storeFiles, storeTree } from "./objects.ts";
import { findCommit } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { listTree } from "./trees.ts";
import { findLinkedWorktree, isCheckedOut, type LinkedWorktree } from "./worktrees.ts";
import { FileWriter } from "./write-files.ts";

/** Puts stored worktrees back. */
export const restoreWorktrees = (host: GitHost): Hand<RestoreWorktree, RestoredWorktree> => ({
  run: (ask, turn) => host.work(ask.repositoryPath, turn.signal, (repository) => restore(host, repository, ask, turn)),
  undo: (ask, turn) =>
    host.work(ask.repositoryPath, turn.signal, (repository) => discardMarked(repository, markOf(turn.key), ask.path)),
});

async function restore(
  host: GitHost,
  repository: Repository,
  ask: RestoreWorktree,
  turn: Turn,
): Promise<RestoredWorktree> {
  if ((await findCommit(repository, ask.trees.commit)) === undefined) {
    throw new Refusal("NOT_FOUND", "The repository no longer holds that copy.");
  }
  const mark = markOf(turn.key);
  if (turn.attempt > 1) {
    await discardMarked(repository, mark, ask.path);
    const earlier = await findLinkedWorktree(repository, withoutLinks(ask.path));
    if (isWhole(earlier)) return describe(repository, ask, earlier);
  }
  const path = checkPlace(repository, ask.path, host);
  try {
    const commit = ask.head ?? ask.trees.commit;
    const made = await addMarked(repository, { mark, path, commit, isEmpty: true });
    await fill(repository, ask, made);
    const restored = await describe(repository, ask, made);
    await release(made);
    return restored;
  } catch (error) {
    // What cannot be taken back now is taken back by the next attempt, or by `undo`.
    await discardMarked(repository, mark, path).catch(() => undefined);
    throw error;
  }
}

async function fill(
  repository: Repository,
  { trees, branch, head }: RestoreWorktree,
  made: LinkedWorktree,
): Promise<void> {
  const folder = new FileWriter(repository, made.path, { overwrites: false });
  await folder.writeTree(trees.worktree);
  await folder.writeTree(trees.untracked);
  const notes = new FileWriter(repository, made.gitDir, { overwrites: true });
  await notes.writeTree(trees.state);
  if (trees.index !== null) await notes.writeLarge({ name: "index", oid: trees.index, mode: "100644" });
  if (branch !== null && (await canStandOn(repository, branch, head))) {
    await repository.git(["symbolic-ref", "HEAD", branch], { gitDir: made.gitDir });
  }
}

/** A branch that has moved on or is in use keeps what it has; HEAD then stays on the stored commit. */
async function canStandOn(repository: Repository, branch: string, head: string | null): Promise<boolean> {
  if (!branch.startsWith("refs/heads/") || (await isCheckedOut(repository, branch))) return false;
  const commit = await findCommit(repository, branch);
  if (commit !== undefined || head === null) return commit === (head ?? undefined);
  const { code } = await repository.git(["update-ref", branch, head, ""], { answers: [1, 128] });
  return code === 0;
}

async function describe(
  repository: Repository,
  { trees, branch }: RestoreWorktree,
  { path, gitDir }: LinkedWorktree,
): Promise<RestoredWorktree> {
  const { text } = await repository.git(["symbolic-ref", "-q", "HEAD"], { gitDir, answers: [1] });
  const isExact = (await holds(repository, path, trees.worktree)) && (await holds(repository, path, trees.untracked));
  return { path, isOnBranch: branch !== null && text === branch, isExact };
}

/** Reads back what was written: a disk may take two names for one, or not keep a mode. */
async function holds(repository: Repository, folder: string, tree: string): Promise<boolean> {
  const scratch = mkdtempSync(join(tmpdir(), "crewdeck-copy-"));
  try {
    const disk = new Disk(folder);
    const files = await listTree(repository, tree);
    const found: OnDisk[] = [];
    for (const { name, mode } of files) {
      const file = mode === "160000" ? undefined : await disk.find(name);
      if (file) found.push(file);
    }
    const entries = await storeFiles(repository, folder, found, scratch);
    const links = files.filter(({ mode }) => mode === "160000");
    return (await storeTree(repository, [...entries, ...links], { indexFile: join(scratch, "index") })) === tree;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
