import type { HouseEvent } from "../../contract/event.ts";
import type { WorktreeId } from "../../contract/ids.ts";
import { type AnyErrandKind, defineErrand, type ErrandFailure } from "../errand.ts";
import type { SystemWork } from "../work.ts";
import { worktreeEvent } from "./events.ts";
import type { Worktree } from "./model.ts";
import type {
  MadeWorktree,
  MakeWorktree,
  RemovedWorktree,
  RemoveWorktree,
  StoredWorktree,
  StoreWorktree,
} from "./port.ts";
import { getWorktree } from "./queries.ts";
import { saveWorktree } from "./store.ts";
import { dropCopy, recordCopy, restoreCopy } from "./vault-operations.ts";
import { countCopies } from "./vault-store.ts";

const minuteMs = 60_000;

/** Makes a worktree's folder. */
export const makeFolder = defineErrand<MakeWorktree, MadeWorktree>({
  name: "worktree.make",
  timeoutMs: 10 * minuteMs,
  mostAttempts: 4,
  done: (work, { worktreeId }, made) => noteFolderMade(work, worktreeId, made),
  failed: (work, { worktreeId }, failure) => noteFolderFailed(work, worktreeId, failure),
});

export async function noteFolderMade(work: SystemWork, worktreeId: WorktreeId, made: MadeWorktree): Promise<void> {
  const { repositoryPath, path, head, behind, skippedFilters } = made;
  const worktree = await getWorktree(work.db, worktreeId);
  await saveWorktree(work.db, worktree, {
    folder: "ready",
    repositoryPath,
    path,
    facts: { head, behind, skippedFilters: [...skippedFilters] },
    updatedAt: work.now,
  });
  tell(work, worktree, (workflow_id) => worktreeEvent.prepared(worktree.id, { workflow_id, branch: worktree.branch }));
}

export async function noteFolderFailed(
  work: SystemWork,
  worktreeId: WorktreeId,
  failure: ErrandFailure,
): Promise<void> {
  const worktree = await getWorktree(work.db, worktreeId);
  const problem = problemOf(failure);
  await saveWorktree(work.db, worktree, { folder: "failed", status: "abandoned", problem, updatedAt: work.now });
  tell(work, worktree, (workflow_id) => worktreeEvent.failed(worktree.id, { workflow_id, code: failure.code }));
}

/** Stores everything a folder holds. Once the copy is recorded, and only then, the folder is removed. */
const storeFolder = defineErrand<StoreWorktree, StoredWorktree | null>({
  name: "worktree.store",
  timeoutMs: 20 * minuteMs,
  mostAttempts: 4,
  async done(work, payload, stored) {
    const worktree = await getWorktree(work.db, payload.worktreeId);
    if (stored === null) return finishRemoval(work, worktree);
    await recordCopy(work, worktree, stored);
    const { head, trees, repositoryPath } = stored;
    const { worktreeId, path, number } = payload;
    work.after(
      removeFolder.ask({
        key: `${worktreeId}/${number}`,
        subject: worktreeId,
        place: worktree.place ?? undefined,
        payload: { worktreeId, repositoryPath, path, head, trees },
      }),
    );
  },
  failed: (work, { worktreeId }, failure) => keepFolder(work, worktreeId, failure),
});

/** Somebody who goes on working in a folder that is to be removed is given this many chances to stop. */
const mostCopies = 5;

/** Removes a folder that is stored, unless it has changed since. */
const removeFolder = defineErrand<RemoveWorktree, RemovedWorktree>({
  name: "worktree.remove",
  timeoutMs: 20 * minuteMs,
  mostAttempts: 4,
  async done(work, { worktreeId }, { hasChanged }) {
    const worktree = await getWorktree(work.db, worktreeId);
    if (!hasChanged) return finishRemoval(work, worktree);
    if ((await countCopies(work.db, worktree.id)) < mostCopies) return askToStore(work, worktree);
    return keepFolder(work, worktreeId, { code: "CONFLICT", message: "The folder keeps changing.", detail: null });
  },
  failed: (work, { worktreeId }, failure) => keepFolder(work, worktreeId, failure),
});

/** Nothing of a folder is removed before all of it is stored; what removes it is asked for when the copy is recorded. */
export async function askToStore(work: SystemWork, worktree: Worktree): Promise<void> {
  const { id, repositoryPath, path, baseBranch } = worktree;
  if (repositoryPath === null) return;
  const number = (await countCopies(work.db, id)) + 1;
  work.after(
    storeFolder.ask({
      key: `${id}/${work.newId("errand")}`,
      subject: id,
      place: worktree.place ?? undefined,
      payload: { worktreeId: id, repositoryPath, path, baseBranch, number, at: work.now },
    }),
  );
}

/** Everything that is done to worktrees outside. */
export const worktreeErrands: readonly AnyErrandKind[] = [makeFolder, storeFolder, removeFolder, restoreCopy, dropCopy];

async function finishRemoval(work: SystemWork, worktree: Worktree): Promise<void> {
  await saveWorktree(work.db, worktree, { folder: "removed", problem: null, updatedAt: work.now });
  tell(work, worktree, (workflow_id) => worktreeEvent.removed(worktree.id, { workflow_id }));
}

/** What could not be stored or removed stays where it is, and says why. */
async function keepFolder(work: SystemWork, worktreeId: WorktreeId, failure: ErrandFailure): Promise<void> {
  const worktree = await getWorktree(work.db, worktreeId);
  const folder = worktree.facts === null ? "foreign" : "ready";
  await saveWorktree(work.db, worktree, { folder, problem: problemOf(failure), updatedAt: work.now });
  tell(work, worktree, (workflow_id) => worktreeEvent.kept(worktree.id, { workflow_id, code: failure.code }));
}

const problemOf = ({ code, message }: ErrandFailure): string => `${code}: ${message}`;

/** Tells a workflow of its worktree. One that is an instance's is told of by the instance. */
export function tell(work: SystemWork, { workflowId }: Worktree, make: (workflowId: string) => HouseEvent): void {
  if (workflowId === null) return;
  const event = make(workflowId);
  work.record({ ...event, channels: [...event.channels, `workflow:${workflowId}`] });
}
