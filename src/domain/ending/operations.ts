import type { PhaseId, TaskId } from "../../contract/ids.ts";
import { freeFiles } from "../agent/file-mark-operations.ts";
import { releaseClaimsOfTask } from "../claim/operations.ts";
import { forgetResult, hasPartialSuccess } from "../evidence/operations.ts";
import { readResults } from "../evidence/queries.ts";
import { settleFindings } from "../finding/task-operations.ts";
import { isFinished } from "../lifecycle.ts";
import { settleContainer } from "../task/container-operations.ts";
import type { Task } from "../task/model.ts";
import { freeHolder, type Step, takeStep } from "../task/operations.ts";
import { countTasksByStatus } from "../task/progress-queries.ts";
import type { Work } from "../work.ts";
import type { Phase } from "../workflow/brief-model.ts";
import { endByItself, endPhase, findSelfEnding } from "../workflow/brief-operations.ts";
import { touchContainer } from "../workflow/workstream-operations.ts";

export interface Ended {
  readonly task: Task;
  /** The phase that ended with it. */
  readonly phase: Phase | null;
}

/**
 * Ends a task, done, failed or cancelled, with everything that follows from it, whichever family asks. The caller has
 * decided that it may end and what that writes. What has failed is not finished: whatever waits for it goes on waiting.
 */
export async function endTask(work: Work, task: Task, step: Step, endsPhase: PhaseId | null = null): Promise<Ended> {
  const ended = await takeStep(work, task, step);
  await freeHolder(work, task);
  if (isFinished(ended.status)) await settleContainer(work, task.workflowId);
  const phase = endsPhase === null ? null : await endPhase(work, endsPhase, ended.status === "failed");
  await endWithLastTask(work, ended);
  await settleFindings(work, ended, () => readProof(work, ended));
  await letGo(work, task.id);
  return { task: ended, phase };
}

/** What the result of a task is worth: its doer's word where there is no receipt. */
async function readProof(work: Work, task: Task): Promise<string> {
  return (await readResults(work.db, [task])).get(task.id)?.level ?? "self-reported";
}

/** The same without a receipt, whatever was proven of an end before. */
export async function endUnproven(work: Work, task: Task, step: Step): Promise<Ended> {
  await forgetResult(work, task.id);
  return endTask(work, task, step);
}

/** What has ended holds no files any more. */
async function letGo(work: Work, id: TaskId): Promise<void> {
  await freeFiles(work, id);
  await releaseClaimsOfTask(work, id);
}

/** A workflow of the older form ends with its last task: failed if any of them was not a full success. */
async function endWithLastTask(work: Work, { workflowId }: Task): Promise<void> {
  const mission = workflowId === null ? undefined : await findSelfEnding(work.db, workflowId);
  if (!mission || mission.brief.closing !== null || isFinished(mission.workflow.status)) return;
  const { id } = mission.workflow;
  const left = (await countTasksByStatus(work.db, id)).filter(({ status }) => !isFinished(status));
  const isOver = left.every(({ status }) => status === "failed");
  if (isOver) await endByItself(work, mission, left.length > 0 || (await hasPartialSuccess(work, id)));
  // The row is saved, so that of the last two tasks that end at the same moment one sees the other's end.
  else await touchContainer(work, mission.workflow);
}
