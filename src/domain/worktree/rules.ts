import { Refusal } from "../../contract/refusal.ts";
import type { Worktree, WorktreeStatus } from "./model.ts";

/** Our own pattern, stricter than git's: what passes can stand anywhere in a git command. */
const branchPattern = /^(?![-./])(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)))[A-Za-z0-9._/+-]{1,250}(?<![./])$/;

export function checkBranch(name: string): void {
  if (branchPattern.test(name) && name !== "HEAD") return;
  throw new Refusal(
    "INVALID_INPUT",
    "That is no branch name we would give to git.",
    "Use letters, digits, '.', '_', '-', '+' and '/', without a leading '-' or '.', '..' or a '.lock' ending.",
  );
}

export interface WorktreeAsk {
  readonly status?: WorktreeStatus | undefined;
  readonly mergeCommit?: string | undefined;
}

/** A worktree is in use until it was merged or given up; neither is taken back. */
export function decideWorktree(worktree: Worktree, ask: WorktreeAsk, now: number): Partial<Worktree> {
  const to = ask.status ?? worktree.status;
  if (to !== worktree.status && worktree.status !== "active") {
    throw new Refusal(
      "INVALID_TRANSITION",
      `A worktree cannot go from ${worktree.status} to ${to}.`,
      "Nothing follows this status.",
      { from: worktree.status, to, allowed: [] },
    );
  }
  const mergeCommit = ask.mergeCommit ?? worktree.mergeCommit;
  if (to === "merged" && mergeCommit === null) {
    throw new Refusal(
      "MISSING_MERGE_COMMIT",
      "A merged worktree names the merge commit.",
      "Call again with merge_commit.",
    );
  }
  return { status: to, mergeCommit, updatedAt: now };
}

/** A worktree is updated by whoever steers its workflow, and by whoever works in it. */
export const mayUpdate = (worktree: Worktree, workflow: { developerId: string }, developerId: string): boolean =>
  workflow.developerId === developerId || worktree.developerId === developerId;

/** Whether the folder of a worktree goes. False where there is none any more, or it is going already. */
export function decideCleanup(worktree: Worktree): boolean {
  if (worktree.status === "active") {
    throw new Refusal(
      "INVALID_STATE",
      "The folder of a workspace in use stays.",
      "Set the status to merged or abandoned in the same call.",
    );
  }
  if (worktree.folder === "making") {
    throw new Refusal("INVALID_STATE", "The folder is still being made.", "Call again in a moment.");
  }
  if (worktree.folder === "failed" || worktree.folder === "leaving" || worktree.folder === "removed") return false;
  if (worktree.repositoryPath !== null) return true;
  throw new Refusal(
    "INVALID_STATE",
    "No repository is known for this workspace.",
    "Remove the folder yourself with `git worktree remove`.",
  );
}

/** The first free one of the names that a task's worktrees are given. */
export function branchFor(taskId: string, taken: readonly string[]): string {
  const name = `crewdeck/${taskId}`;
  for (let number = 1; ; number += 1) {
    const branch = number === 1 ? name : `${name}-${number}`;
    if (!taken.includes(branch)) return branch;
  }
}
