import type { TaskId } from "../../contract/ids.ts";
import { type AnyErrandKind, defineErrand } from "../errand.ts";
import { findTask } from "../task/queries.ts";
import type { SystemWork } from "../work.ts";
import { type Checks, failingChecks } from "./check-model.ts";
import { receiptEvent } from "./events.ts";
import type { CheckRun, ChecksAsk } from "./port.ts";
import { findEvidence } from "./queries.ts";
import { decideLevel } from "./receipt-rules.ts";
import { saveReceipt } from "./store.ts";

interface TaskChecks extends ChecksAsk {
  readonly taskId: TaskId;
}

/** Runs a repository's own checks on the tree a task has left. One at a time: they may want the whole machine. */
export const runChecks = defineErrand<TaskChecks, CheckRun>({
  name: "evidence.check",
  timeoutMs: 30 * 60_000,
  mostAttempts: 2,
  mostAtOnce: 1,
  done: (work, { taskId }, { state, results }) => settle(work, taskId, { state, results: [...results] }),
  failed: (work, { taskId }) => settle(work, taskId, { state: "given_up", results: [] }),
});

export const evidenceErrands: readonly AnyErrandKind[] = [runChecks];

async function settle(work: SystemWork, taskId: TaskId, outcome: Omit<Checks, "configHash">): Promise<void> {
  const evidence = await findEvidence(work.db, taskId);
  if (!evidence?.receipt) return;
  const checks: Checks = { ...evidence.receipt.checks, ...outcome };
  const receipt = { ...evidence.receipt, checks };
  const level = decideLevel(receipt);
  await saveReceipt(work.db, evidence, { ...receipt, level });
  const workflowId = (await findTask(work.db, taskId))?.workflowId ?? null;
  const failed = failingChecks(checks).length;
  const data = { workflow_id: workflowId, level, passed: checks.results.length - failed, failed };
  const channels = [`task:${taskId}`, ...(workflowId === null ? [] : [`workflow:${workflowId}`])];
  work.record(receiptEvent.settled(taskId, data, channels));
}
