import type { TaskId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Look } from "../port.ts";
import { checkIsNotTooWide, normaliseRepositoryPath } from "../project/operations.ts";
import { assignWorktree, getTaskToWrite } from "../task/operations.ts";
import type { Work } from "../work.ts";
import type { Workflow } from "../workflow/model.ts";
import { getOwnWorkflow } from "../workflow/operations.ts";
import { getWorkflow } from "../workflow/queries.ts";
import { askToStore, makeFolder, tell } from "./errand-operations.ts";
import { worktreeEvent } from "./events.ts";
import type { Worktree } from "./model.ts";
import type { Ground } from "./port.ts";
import { getWorktree } from "./queries.ts";
import { checkBranch, decideCleanup, decideWorktree, mayUpdate, type WorktreeAsk } from "./rules.ts";
import { insertWorktree, saveWorktree } from "./store.ts";

interface NewWorktree {
  readonly workflowId: WorkflowId;
  readonly path: string;
  readonly branch: string;
  readonly baseBranch: string | null;
  readonly repositoryPath: string | null;
}

/** Looks whether the folder that is wanted can be made, before anything is written. */
export async function checkNewFolder(look: Look, ask: NewWorktree): Promise<Ground> {
  const workflow = await look.read((db) => getOwnWorkflow({ db, caller: look.caller }, ask.workflowId));
  checkBranches(ask);
  const repositoryPath = repositoryOf(workflow, ask);
  if (repositoryPath === null) {
    throw new Refusal("MISSING_REPO_PATH", "To make a worktree its repository must be known.", "Pass repo_path.");
  }
  checkIsNotTooWide(repositoryPath);
  const { branch, baseBranch } = ask;
  const path = normaliseRepositoryPath(ask.path);
  return look.ports.worktree.checkGround({ repositoryPath, path, branch, baseBranch }, look.signal);
}

/** Makes a worktree known; with a ground, its folder is made there after the commit. */
export async function registerWorktree(
  work: Work,
  ask: NewWorktree & { taskIds: readonly TaskId[]; ground?: Ground | undefined },
): Promise<Worktree> {
  const workflow = await getOwnWorkflow(work, ask.workflowId);
  checkBranches(ask);
  const worktree = await addWorktree(work, workflow, {
    path: ask.ground?.path ?? normaliseRepositoryPath(ask.path),
    branch: ask.branch,
    baseBranch: ask.baseBranch,
    repositoryPath: ask.ground?.repositoryPath ?? repositoryOf(workflow, ask),
    isMade: ask.ground !== undefined,
  });
  for (const taskId of new Set(ask.taskIds)) await assign(work, taskId, worktree);
  return worktree;
}

/** A worktree with its event and, if we are to make its folder, the work that does so. */
export async function addWorktree(
  work: Work,
  workflow: Workflow,
  ask: Pick<Worktree, "path" | "branch" | "baseBranch" | "repositoryPath"> & { id?: WorktreeId; isMade: boolean },
): Promise<Worktree> {
  const { path, branch, baseBranch, repositoryPath } = ask;
  const worktree: Worktree = {
    id: ask.id ?? work.newId("worktree"),
    workflowId: workflow.id,
    developerId: work.caller.developerId,
    path,
    branch,
    baseBranch,
    status: "active",
    mergeCommit: null,
    repositoryPath,
    place: ask.isMade ? work.place : null,
    folder: ask.isMade ? "making" : "foreign",
    facts: null,
    problem: null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertWorktree(work.db, worktree);
  work.record(worktreeEvent.registered(worktree.id, { workflow_id: workflow.id, branch }, [`workflow:${workflow.id}`]));
  if (ask.isMade && repositoryPath !== null) {
    const { id } = worktree;
    const payload = { worktreeId: id, repositoryPath, path, branch, baseBranch };
    work.after(makeFolder.ask({ key: id, subject: id, payload }));
  }
  return worktree;
}

export async function updateWorktree(
  work: Work,
  id: WorktreeId,
  ask: WorktreeAsk & { cleansUp?: boolean },
): Promise<void> {
  const worktree = await getWorktree(work.db, id);
  await checkRight(work, worktree);
  const changes = decideWorktree(worktree, ask, work.now);
  const next: Worktree = { ...worktree, ...changes };
  const goes = ask.cleansUp === true && decideCleanup(next);
  await saveWorktree(work.db, worktree, { ...changes, ...(goes ? { folder: "leaving" as const, problem: null } : {}) });
  tell(work, worktree, (workflow_id) => worktreeEvent.updated(id, { workflow_id, status: next.status }));
  if (goes) await askToStore(work, next);
}

async function checkRight(work: Work, worktree: Worktree): Promise<void> {
  if (worktree.workflowId === null) {
    throw new Refusal("FORBIDDEN", "That folder is an instance's.", "Stop the instance; its folder goes with it.");
  }
  const workflow = await getWorkflow(work.db, worktree.workflowId);
  if (!mayUpdate(worktree, workflow, work.caller.developerId)) await getOwnWorkflow(work, workflow.id);
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
    throw new Refusal("INVALID_STATE", `The workspace is ${worktree.status}.`, nextStep("newWorktree"));
  }
  await assignWorktree(work, task, worktree.id);
}

function checkBranches({ branch, baseBranch }: Pick<NewWorktree, "branch" | "baseBranch">): void {
  for (const name of [branch, baseBranch]) if (name !== null) checkBranch(name);
}

const repositoryOf = (workflow: Workflow, ask: Pick<NewWorktree, "repositoryPath">): string | null =>
  ask.repositoryPath === null ? workflow.repositoryPath : normaliseRepositoryPath(ask.repositoryPath);
