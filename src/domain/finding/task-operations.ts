import type { FindingId, TaskId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { hasEnded, type Lifecycle } from "../lifecycle.ts";
import { findTask, listTasksById } from "../task/queries.ts";
import type { Work } from "../work.ts";
import { findingEvent } from "./events.ts";
import type { Finding } from "./model.ts";
import { getFinding, writeDecision } from "./operations.ts";
import { listTaskFindings } from "./queries.ts";
import { saveFinding } from "./store.ts";

/** A finding that a task may be planned for: one has at most one task that is not over (TG8). */
export async function getFindingToPlan(work: Work, id: FindingId): Promise<Finding> {
  const finding = await getFinding(work, id);
  const task = finding.taskId === null ? undefined : await findTask(work.db, finding.taskId);
  if (!task || hasEnded(task.status)) return finding;
  throw new Refusal("INVALID_STATE", "A task fixes that finding already.", "Look at that task.", {
    task_id: task.id,
  });
}

/** The tasks of these findings that are not over. */
export async function listOpenFixes(db: Db, findings: readonly Finding[]): Promise<ReadonlySet<TaskId>> {
  const ids = [...new Set(findings.flatMap(({ taskId }) => taskId ?? []))];
  const tasks = await listTasksById(db, ids);
  return new Set(ids.filter((id) => !hasEnded(tasks.get(id)?.status ?? "done")));
}

/** Ties a finding to the task that was planned for it: that is the decision to fix it. */
export async function linkTask(work: Work, finding: Finding, taskId: TaskId): Promise<void> {
  const decided = await writeDecision(work, finding, {
    status: "fix",
    justification: null,
    reviewer: work.caller.handle,
    expiresAt: null,
    meta: {},
    codes: [],
    evidence: [taskId],
  });
  await saveFinding(work.db, decided.finding, { taskId });
  work.record(findingEvent.planned(finding.id, { task_id: taskId }, [`task:${taskId}`]));
}

/**
 * What follows for findings from the end of the task that fixes them: its receipt closes them, giving the task up opens
 * them again. A task that failed is still theirs (TG9).
 */
export async function settleFindings(
  work: Work,
  task: { readonly id: TaskId; readonly status: Lifecycle },
  readProof: () => Promise<string>,
): Promise<void> {
  if (task.status !== "done" && task.status !== "cancelled") return;
  const findings = await listTaskFindings(work.db, task.id);
  if (findings.length === 0) return;
  const proof = task.status === "done" ? await readProof() : "";
  for (const finding of findings) {
    const channels = [`task:${task.id}`];
    if (task.status === "done") {
      await saveFinding(work.db, finding, { state: "fixed", expiresAt: null, updatedAt: work.now });
      work.record(findingEvent.fixed(finding.id, { task_id: task.id, proof }, channels));
    } else {
      const isItsOwn = finding.state === "fix";
      const { state, expiresAt } = isItsOwn ? { state: "open" as const, expiresAt: null } : finding;
      await saveFinding(work.db, finding, { state, expiresAt, taskId: null, updatedAt: work.now });
      work.record(findingEvent.reopened(finding.id, { task_id: task.id }, channels));
    }
  }
}
