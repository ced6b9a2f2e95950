import type { WorktreeId } from "../../contract/ids.ts";
import type { SystemWork } from "../work.ts";
import { askToStore } from "./errand-operations.ts";
import type { Worktree } from "./model.ts";
import { getWorktree } from "./queries.ts";
import { insertWorktree, saveWorktree } from "./store.ts";

type InstanceWorktree = Pick<Worktree, "developerId" | "path" | "branch" | "baseBranch"> & {
  readonly repositoryPath: string;
};

/** The worktree of an instance. What makes its folder is asked for with the program that is started in it. */
export async function addInstanceWorktree(work: SystemWork, ask: InstanceWorktree): Promise<Worktree> {
  const worktree: Worktree = {
    ...ask,
    id: work.newId("worktree"),
    workflowId: null,
    status: "active",
    mergeCommit: null,
    place: work.place,
    folder: "making",
    facts: null,
    problem: null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertWorktree(work.db, worktree);
  return worktree;
}

/** Gives a folder up: all that is in it goes into the vault, and then it goes. */
export async function leaveInstanceWorktree(work: SystemWork, id: WorktreeId): Promise<void> {
  const worktree = await getWorktree(work.db, id);
  if (worktree.status !== "active") return;
  const goes = worktree.folder === "ready";
  const changes: Partial<Worktree> = { status: "abandoned", updatedAt: work.now };
  await saveWorktree(work.db, worktree, { ...changes, ...(goes ? { folder: "leaving", problem: null } : {}) });
  if (goes) await askToStore(work, { ...worktree, ...changes, version: worktree.version + 1 });
}
