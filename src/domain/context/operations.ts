import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { isFinished } from "../lifecycle.ts";
import { listDependencyIds, listOpenDependencies } from "../task/graph-queries.ts";
import type { Task } from "../task/model.ts";
import {
  countTasksByStatus,
  firstStart,
  type GroupCount,
  highestSequence,
  listGroups,
  listWaitingTasks,
  type StatusCount,
  type WaitingTask,
} from "../task/progress-queries.ts";
import { countRunning, isEverythingFinished, listGroupIds, listReadyTasks } from "../task/queue-queries.ts";
import type { Workflow } from "../workflow/model.ts";
import { isUnderWay } from "../workflow/operations.ts";
import { getWorkflow } from "../workflow/queries.ts";

export { readMission } from "./mission-operations.ts";
export { fillPack, type Piece } from "./pack.ts";
export {
  leastBudget,
  type MissionState,
  type PackedTask,
  type PackPart,
  type PackVoice,
  type TaskContext,
  type TaskMission,
  type Wanted,
} from "./task-context.ts";
export { loadTokenCounter } from "./tokens.ts";

/** Read models that cross nouns: what is next, and how far it is. Each takes a fixed number of statements. */

interface NextTasks {
  readonly workflow: Workflow;
  readonly tasks: readonly {
    readonly task: Task;
    readonly parallelWith: readonly TaskId[];
    readonly dependencies: readonly TaskId[];
  }[];
  /** How many more should begin: free places, or fewer when less is ready (WF21). */
  readonly recommended: number;
  readonly isAllFinished: boolean;
}

const mostNext = 100;
const mostPeers = 50;

export async function findNextTasks(db: Db, id: WorkflowId, ask: { includesFailed: boolean }): Promise<NextTasks> {
  const workflow = await getWorkflow(db, id);
  const free = isUnderWay(workflow) ? Math.max(0, workflow.maxParallel - (await countRunning(db, id))) : 0;
  const ready = await listReady(db, id, { ...ask, limit: Math.max(mostNext, free) });
  const dependencies = await listDependencyIds(
    db,
    ready.map((task) => task.id),
  );
  const groups = [...new Set(ready.flatMap((task) => task.parallelGroup ?? []))];
  const members = await listGroupIds(db, { workflowId: id, groups, most: mostPeers + 1 });
  const peersOf = ({ id: own, parallelGroup }: Task): TaskId[] =>
    (members.get(parallelGroup ?? "") ?? []).filter((other) => other !== own).slice(0, mostPeers);
  return {
    workflow,
    tasks: ready.map((task) => ({
      task,
      parallelWith: peersOf(task),
      dependencies: dependencies.get(task.id) ?? [],
    })),
    recommended: Math.min(ready.length, free),
    isAllFinished: ready.length === 0 && (await isEverythingFinished(db, id)),
  };
}

/** By sequence, then by name. */
async function listReady(
  db: Db,
  workflowId: WorkflowId,
  { includesFailed, limit }: { includesFailed: boolean; limit: number },
): Promise<Task[]> {
  const planned = await listReadyTasks(db, { workflowId, status: "planned", limit });
  const failed = includesFailed ? await listReadyTasks(db, { workflowId, status: "failed", limit }) : [];
  return [...planned, ...failed]
    .sort((one, other) => one.sequence - other.sequence || compare(one.name, other.name))
    .slice(0, limit);
}

/** By bytes, as both databases do. */
const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

interface Progress {
  readonly workflow: Workflow;
  readonly counts: readonly StatusCount[];
  readonly completedSequence: number;
  readonly currentSequence: number;
  readonly waiting: readonly { readonly task: WaitingTask; readonly blockedBy: readonly string[] }[];
  readonly groups: readonly GroupCount[];
  /** Seconds until the end at the pace so far, once there is a pace (WF28). */
  readonly etaSeconds: number | null;
}

const mostWaitingShown = 100;

export async function readProgress(db: Db, id: WorkflowId, now: number): Promise<Progress> {
  const workflow = await getWorkflow(db, id);
  const counts = await countTasksByStatus(db, id);
  const open = counts.filter(({ status }) => !isFinished(status)).map(({ lowestSequence }) => lowestSequence);
  const current = open.length === 0 ? null : Math.min(...open);
  const waiting = await listWaitingTasks(db, id, mostWaitingShown);
  const blockedBy = await listOpenDependencies(
    db,
    waiting.map((task) => task.id),
  );
  return {
    workflow,
    counts,
    completedSequence: await highestSequence(db, id, current ?? undefined),
    currentSequence: current ?? 0,
    waiting: waiting.map((task) => ({ task, blockedBy: blockedBy.get(task.id) ?? [] })),
    groups: await listGroups(db, id),
    etaSeconds: await estimateEta(db, workflow, counts, now),
  };
}

const leastForPace = 3;

/** What was finished without ever being begun counts from the workflow's own beginning. */
async function estimateEta(
  db: Db,
  workflow: Workflow,
  counts: readonly StatusCount[],
  now: number,
): Promise<number | null> {
  const sumOf = (some: readonly StatusCount[]): number => some.reduce((sum, { count }) => sum + count, 0);
  const finished = sumOf(counts.filter(({ status }) => isFinished(status)));
  if (finished < leastForPace) return null;
  const began = (await firstStart(db, workflow.id)) ?? workflow.createdAt;
  return Math.round(((now - began) / 1_000 / finished) * (sumOf(counts) - finished));
}
