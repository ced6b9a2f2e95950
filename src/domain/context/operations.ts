import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { isFinished } from "../lifecycle.ts";
import type { Note } from "../note/model.ts";
import { listNotes } from "../note/operations.ts";
import type { Task } from "../task/model.ts";
import {
  countRunning,
  countTasksByStatus,
  firstStart,
  getTask,
  highestSequenceBelow,
  listDependencies,
  listGroupMembers,
  listGroups,
  listOpenDependencies,
  listReadyTasks,
  listTasks,
  listWaitingTasks,
  type StatusCount,
  sequenceBounds,
} from "../task/operations.ts";
import type { Workflow } from "../workflow/model.ts";
import { getWorkflow, isUnderWay } from "../workflow/operations.ts";
import { fillPack, type Omission, type Piece } from "./pack.ts";
import { loadTokenCounter } from "./tokens.ts";

export { fillPack, loadTokenCounter, type Omission, type Piece };

/** Read models that cross nouns: what is next, how far it is, what someone needs to go on. */

export interface NextTasks {
  readonly workflow: Workflow;
  readonly tasks: readonly { task: Task; parallelWith: readonly TaskId[]; finishedDependencies: readonly TaskId[] }[];
  /** How many more should begin: free places, or fewer when less is ready (F4). */
  readonly recommended: number;
  readonly isAllFinished: boolean;
}

const mostNext = 100;

export async function findNextTasks(db: Db, id: WorkflowId, ask: { includesFailed: boolean }): Promise<NextTasks> {
  const workflow = await getWorkflow(db, id);
  const statuses = ask.includesFailed ? (["planned", "failed"] as const) : (["planned"] as const);
  const ready = await listReadyTasks(db, { workflowIds: [id], statuses, limit: mostNext });
  const running = await countRunning(db, id);
  const counts = await countTasksByStatus(db, id);
  const free = isUnderWay(workflow) ? Math.max(0, workflow.maxParallel - running) : 0;
  const tasks = [];
  for (const task of ready) {
    const members = task.parallelGroup === null ? [] : await listGroupMembers(db, id, task.parallelGroup);
    const dependencies = await listDependencies(db, task.id);
    tasks.push({
      task,
      parallelWith: members.filter((member) => member.id !== task.id).map((member) => member.id),
      finishedDependencies: dependencies.map((dependency) => dependency.id),
    });
  }
  return { workflow, tasks, recommended: Math.min(ready.length, free), isAllFinished: areAllFinished(counts) };
}

export const areAllFinished = (counts: readonly StatusCount[]): boolean =>
  counts.length > 0 && counts.every(({ status }) => isFinished(status));

export interface Progress {
  readonly counts: readonly StatusCount[];
  readonly completedSequence: number;
  readonly currentSequence: number;
  readonly waiting: readonly { task: Task; blockedBy: readonly string[] }[];
  readonly groups: readonly { group: string; count: number; finished: number }[];
  /** Seconds until the end at the pace so far, once there is a pace (F7). */
  readonly etaSeconds: number | null;
}

const mostWaitingShown = 100;

export async function readProgress(db: Db, id: WorkflowId, now: number): Promise<Progress> {
  await getWorkflow(db, id);
  const counts = await countTasksByStatus(db, id);
  const bounds = await sequenceBounds(db, id);
  const waiting = await listWaitingTasks(db, id, mostWaitingShown);
  const open = await listOpenDependencies(
    db,
    waiting.map((task) => task.id),
  );
  return {
    counts,
    completedSequence: bounds.open === null ? bounds.last : await highestSequenceBelow(db, id, bounds.open),
    currentSequence: bounds.open ?? 0,
    waiting: waiting.map((task) => ({ task, blockedBy: open.get(task.id) ?? [] })),
    groups: await listGroups(db, id),
    etaSeconds: await estimateEta(db, id, counts, now),
  };
}

const leastForPace = 3;

async function estimateEta(
  db: Db,
  id: WorkflowId,
  counts: readonly StatusCount[],
  now: number,
): Promise<number | null> {
  const done = counts.find(({ status }) => status === "done")?.count ?? 0;
  if (done < leastForPace) return null;
  const left = counts.filter(({ status }) => !isFinished(status)).reduce((sum, { count }) => sum + count, 0);
  const began = (await firstStart(db, id)) ?? now;
  return Math.round(((now - began) / 1_000 / done) * left);
}

export interface TaskContext {
  readonly workflow: Workflow | null;
  readonly task: Task;
  /** Current notes, oldest first: nothing of a plan that was given up. */
  readonly notes: readonly Note[];
  readonly prior: readonly Task[];
  readonly siblings: readonly Task[];
  readonly dependencies: readonly Task[];
}

const mostNotes = 500;
const mostPrior = 500;

/** Everything that may go into a context pack; cancelled work and superseded notes are not in it (F5). */
export async function gatherContext(db: Db, id: TaskId): Promise<TaskContext> {
  const task = await getTask(db, id);
  const workflow = task.workflowId === null ? null : await getWorkflow(db, task.workflowId);
  const notes = await listNotes(db, { taskId: id, limit: mostNotes, onlyCurrent: true });
  const others = workflow === null ? [] : await listTasks(db, workflow.id, 10_000);
  const prior = others.filter((other) => other.sequence < task.sequence && other.status !== "cancelled");
  const siblings =
    workflow === null || task.parallelGroup === null ? [] : await listGroupMembers(db, workflow.id, task.parallelGroup);
  return {
    workflow,
    task,
    notes,
    prior: prior.slice(-mostPrior),
    siblings: siblings.filter((other) => other.id !== id && other.status !== "cancelled"),
    dependencies: (await listDependencies(db, id)).filter((other) => other.status !== "cancelled"),
  };
}
