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
