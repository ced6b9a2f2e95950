import type { TaskId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { normaliseRepositoryPath } from "../project/operations.ts";
import { assignWorktree, getTaskToWrite } from "../task/operations.ts";
import type { Work } from "../work.ts";
import { getOwnWorkflow } from "../workflow/operations.ts";
import { worktreeEvent } from "./events.ts";
import type { Worktree } from "./model.ts";
import { checkBranch, decideWorktree, type WorktreeAsk } from "./rules.ts";
import { getWorktree, insertWorktree, listWorktrees, saveWorktree } from "./store.ts";

export { listWorktrees };

export async function registerWorktree(
  work: Work,
  ask: { workflowId: WorkflowId; path: string; branch: string; baseBranch: string | null; taskIds: readonly TaskId[] },
): Promise<Worktree> {
  const workflow = await getOwnWorkflow(work, ask.workflowId);
  for (const name of [ask.branch, ask.baseBranch]) if (name !== null) checkBranch(name);
  const worktree: Worktree = {
    id: work.newId("worktree"),
    workflowId: workflow.id,
    developerId: work.caller.developerId,
    path: normaliseRepositoryPath(ask.path),
    branch: ask.branch,
    baseBranch: ask.baseBranch,
    status: "active",
    mergeCommit: null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertWorktree(work.db, worktree);
  const data = { workflow_id: workflow.id, branch: worktree.branch };
  work.record(worktreeEvent.registered(worktree.id, data, [`workflow:${workflow.id}`]));
  for (const taskId of ask.taskIds) await assign(work, taskId, worktree);
  return worktree;
}

export async function updateWorktree(work: Work, id: WorktreeId, ask: WorktreeAsk): Promise<void> {
  const worktree = await getWorktree(work.db, id);
  await getOwnWorkflow(work, worktree.workflowId);
  const changes = decideWorktree(worktree, ask, work.now);
  await saveWorktree(work.db, worktree, changes);
  const data = { workflow_id: worktree.workflowId, status: changes.status ?? worktree.status };
  work.record(worktreeEvent.updated(id, data, [`workflow:${worktree.workflowId}`]));
}

export async function assignTask(work: Work, taskId: TaskId, worktreeId: WorktreeId): Promise<void> {
  await assign(work, taskId, await getWorktree(work.db, worktreeId));
}

async function assign(work: Work, taskId: TaskId, worktree: Worktree): Promise<void> {
  const task = await getTaskToWrite(work, taskId);
  if (task.workflowId !== worktree.workflowId) {
    throw new Refusal("WORKFLOW_MISMATCH", `Task ${taskId} belongs to another workflow than the workspace.`);
  }
  if (worktree.status !== "active") {
    throw new Refusal(
      "INVALID_STATE",
      `The workspace is ${worktree.status}.`,
      "Create a new one with workspace_create.",
    );
  }
  await assignWorktree(work, task, worktree.id);
}
