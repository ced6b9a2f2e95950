import type { AgentId, TaskId, WorktreeId } from "../../contract/ids.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Task } from "../task/model.ts";
import { assignWorktree, type Taken, takeTask } from "../task/operations.ts";
import type { Work } from "../work.ts";
import { getWorkflow } from "../workflow/queries.ts";
import { addWorktree } from "./operations.ts";
import { getWorktree, listBranches } from "./queries.ts";
import { branchFor } from "./rules.ts";

/** Claims a task and, where its workflow wishes so, gives it a worktree of its own in the same transaction. */
export async function takeTaskWithWorktree(
  work: Work,
  ask: { taskId: TaskId; agentId: AgentId; say: (status: Lifecycle) => string },
): Promise<{ decision: Taken["decision"]; worktreeId: WorktreeId | null }> {
  const { decision, task } = await takeTask(work, ask);
  if (decision.kind !== "granted") return { decision, worktreeId: null };
  return { decision, worktreeId: await giveWorktree(work, task) };
}

/** Only tasks that run side by side need folders of their own. */
async function giveWorktree(work: Work, task: Task): Promise<WorktreeId | null> {
  if (task.workflowId === null || task.parallelGroup === null || (await hasWorktree(work, task))) return null;
  const workflow = await getWorkflow(work.db, task.workflowId);
  const { repositoryPath } = workflow;
  if (!workflow.makesWorktrees || repositoryPath === null) return null;
  const id = work.newId("worktree");
  const branch = branchFor(task.id, await listBranches(work.db, workflow.id));
  const path = `${repositoryPath}-worktrees/${id}`;
  await addWorktree(work, workflow, { id, path, branch, baseBranch: null, repositoryPath, isMade: true });
  await assignWorktree(work, task, id);
  return id;
}

/** One that came with an earlier claim goes on being used. */
async function hasWorktree(work: Work, task: Task): Promise<boolean> {
  return task.worktreeId !== null && (await getWorktree(work.db, task.worktreeId)).status === "active";
}
