import { lifecycle } from "../../../contract/lifecycle.ts";
import type { Lifecycle } from "../../../domain/lifecycle.ts";
import { isWaiting, type Task } from "../../../domain/task/model.ts";

/** This family's words for the one lifecycle. */

const workflowWords = {
  planned: "planning",
  preparing: "ready",
  active: "in_progress",
  paused: "paused",
  blocked: "awaiting_merge",
  done: "completed",
  failed: "failed",
  cancelled: "abandoned",
} as const satisfies Record<Lifecycle, string>;

const taskWords = {
  planned: "pending",
  preparing: "planning",
  active: "in_progress",
  paused: "paused",
  blocked: "blocked",
  done: "completed",
  failed: "failed",
  cancelled: "skipped",
} as const satisfies Record<Lifecycle, string>;

type WorkflowWord = (typeof workflowWords)[Lifecycle];
type TaskWord = (typeof taskWords)[Lifecycle];

export const workflowStatuses = Object.values(workflowWords) as [WorkflowWord, ...WorkflowWord[]];
export const taskStatuses = Object.values(taskWords) as [TaskWord, ...TaskWord[]];

export const sayWorkflow = (status: Lifecycle): WorkflowWord => workflowWords[status];
export const sayTask = (status: Lifecycle): TaskWord => taskWords[status];

/** A pending task with unfinished dependencies shows as blocked; nobody can set that. */
export const statusOf = (task: Pick<Task, "status" | "waitingOn">): TaskWord =>
  isWaiting(task) ? "blocked" : sayTask(task.status);

/** How many tasks there are in each status, those that wait for others as blocked. */
export function countByWord(
  counts: readonly { status: Lifecycle; count: number; waiting: number }[],
): Record<TaskWord, number> {
  const byWord = Object.fromEntries(taskStatuses.map((word) => [word, 0])) as Record<TaskWord, number>;
  for (const { status, count, waiting } of counts) {
    const blocked = status === "planned" ? waiting : 0;
    byWord.blocked += blocked;
    byWord[sayTask(status)] += count - blocked;
  }
  return byWord;
}

export const readWorkflow = (word: WorkflowWord): Lifecycle => reverse(workflowWords, word);
export const readTask = (word: TaskWord): Lifecycle => reverse(taskWords, word);

const reverse = (words: Record<Lifecycle, string>, word: string): Lifecycle =>
  lifecycle.find((status) => words[status] === word) ?? "planned";
