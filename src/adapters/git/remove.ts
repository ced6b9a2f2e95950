import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Hand } from "../../domain/errand.ts";
import type { RemovedWorktree, RemoveWorktree } from "../../domain/worktree/port.ts";
import { withoutLinks } from "./ground.ts";
import type { GitHost } from "./host.ts";
import { forgetNotes } from "./marked.ts";
import type { Repository } from "./repository.ts";
import { takeSnapshot } from "./snapshot.ts";
import { findSource } from "./store.ts";
import { findLinkedWorktree } from "./worktrees.ts";

/** Removes worktrees whose content is stored. */
export const removeWorktrees = (host: GitHost): Hand<RemoveWorktree, RemovedWorktree> => ({
  run: (ask, turn) => host.work(ask.repositoryPath, turn.signal, (repository) => remove(repository, ask)),
  undo: (ask) => putBack(placesOf(ask)),
});

interface Places {
  readonly path: string;
  /** Moved aside, so that nobody who goes by its name writes into it any more; it may still be put back. */
  readonly leaving: string;
  /** Read once more and found to be what was stored; from here on it only goes. */
  readonly gone: string;
}

/** Beside the folder itself, because only there a move is one step. */
function placesOf({ path, worktreeId }: RemoveWorktree): Places {
  const place = withoutLinks(path);
  return { path: place, leaving: `${place}.${worktreeId}.leaving`, gone: `${place}.${worktreeId}.gone` };
}

async function remove(repository: Repository, ask: RemoveWorktree): Promise<RemovedWorktree> {
  const places = placesOf(ask);
  if (!existsSync(places.gone)) {
    await moveAside(repository, places);
    if (!(await isStored(repository, ask, places))) {
      await putBack(places);
      return { hasChanged: true };
    }
    if (existsSync(places.leaving)) await rename(places.leaving, places.gone);
  }
  await rm(places.gone, { recursive: true, force: true, maxRetries: 3 });
  await forget(repository, places.path);
  return { hasChanged: false };
}

/** A folder at the old place, while ours is aside already, is somebody else's. */
async function moveAside(repository: Repository, { path, leaving }: Places): Promise<void> {
  if (!existsSync(path) || existsSync(leaving)) return;
  await findSource(repository, path);
  await rename(path, leaving);
}

/** Whether the folder, read again after nobody can find it, holds what the copy holds. */
async function isStored(repository: Repository, ask: RemoveWorktree, { path, leaving }: Places): Promise<boolean> {
  const worktree = await findLinkedWorktree(repository, path);
  if (worktree === undefined) return !existsSync(leaving);
  const folder = existsSync(leaving) ? leaving : undefined;
  const { head, trees } = await takeSnapshot(repository, { gitDir: worktree.gitDir, folder });
  const stored = ask.trees;
  return (
    head === ask.head &&
    trees.worktree === stored.worktree &&
    trees.staged === stored.staged &&
    trees.untracked === stored.untracked
  );
}

async function putBack({ path, leaving }: Places): Promise<void> {
  if (existsSync(leaving) && !existsSync(path)) await rename(leaving, path);
}

/** Git's own notes about a worktree whose folder is gone. */
async function forget(repository: Repository, path: string): Promise<void> {
  const worktree = await findLinkedWorktree(repository, path);
  if (worktree !== undefined && !existsSync(path)) await forgetNotes(repository, worktree);
}
