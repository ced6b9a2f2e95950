import type { TaskId } from "../../contract/ids.ts";
import type { Evidence, Receipt } from "../evidence/model.ts";
import { getTaskToComplete, type TaskEnd, writeReceipt } from "../evidence/operations.ts";
import { addNote } from "../note/operations.ts";
import type { Step } from "../task/operations.ts";
import type { Work } from "../work.ts";
import type { Phase } from "../workflow/brief-model.ts";
import { findPhaseById } from "../workflow/brief-queries.ts";
import { type Ended, endTask } from "./operations.ts";

interface Completion extends Pick<Ended, "task"> {
  readonly evidence: Evidence;
  readonly receipt: Receipt;
  /** The phase it belongs to, as it stands now. */
  readonly phase: Phase | null;
}

/** Ends a task, whichever family started it (MI16), with the proof of what it changed. */
export async function endWithEvidence(
  work: Work,
  taskId: TaskId,
  ask: TaskEnd & { readonly endsPhase: boolean; readonly review: string | null },
): Promise<Completion> {
  if (ask.review !== null) await askForReview(work, taskId, ask.review);
  const task = await getTaskToComplete(work, taskId, ask);
  const { evidence, receipt } = await writeReceipt(work, taskId, ask);
  const { phaseId } = evidence;
  const ended = await endTask(work, task, stepOf(work, ask), ask.endsPhase ? phaseId : null);
  const phase = ended.phase ?? (phaseId === null ? null : ((await findPhaseById(work.db, phaseId)) ?? null));
  return { task: ended.task, evidence, receipt, phase };
}

/** Somebody must look before the mission goes on. */
const askForReview = (work: Work, taskId: TaskId, summary: string) =>
  addNote(work, taskId, {
    kind: "issue",
    summary,
    detail: { type: "other", resolution: "" },
    files: [],
    needsHuman: true,
  });

const stepOf = ({ now }: Work, { status, outcome }: TaskEnd): Step => ({
  status: status === "failed" ? "failed" : "done",
  endedAt: now,
  updatedAt: now,
  outcome: outcome.summary,
  outcomeDetail: outcome,
  ...(status === "failed" ? { error: outcome.summary, takenBy: null } : {}),
});
