import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Task } from "../task/model.ts";
import { beginTask, getTaskToWrite, stepRefusal } from "../task/operations.ts";
import { findTask, taskIdsIn } from "../task/queries.ts";
import type { Work } from "../work.ts";
import type { Phase } from "../workflow/brief-model.ts";
import { enterPhase, getMission, goOn, type Mission } from "../workflow/brief-operations.ts";
import { findBrief } from "../workflow/brief-queries.ts";
import { getOwnWorkflow } from "../workflow/operations.ts";
import { findWorkflow } from "../workflow/queries.ts";
import { runChecks } from "./errand-operations.ts";
import type { Changes, Evidence, Receipt, Snapshot } from "./model.ts";
import { findPermit } from "./permit-queries.ts";
import type { ConfiguredChecks } from "./port.ts";
import { findEvidence, findTaskEvidence, listChildren, listEvidence } from "./queries.ts";
import { decideChecks, decideLevel } from "./receipt-rules.ts";
import { findUnexpected } from "./scope-rules.ts";
import { clearGlance, insertEvidence, saveReceipt } from "./store.ts";

export { decideLevel } from "./receipt-rules.ts";

/** An id that is given beside the one that counts must still be one's own (ID17). */
async function checkOwnIfKnown(work: Work, id: WorkflowId): Promise<void> {
  if (await findWorkflow(work.db, id)) await getOwnWorkflow(work, id);
}

interface TaskStart {
  readonly workflowId: WorkflowId;
  /** A workflow that the caller names too. */
  readonly besideId: WorkflowId | undefined;
  readonly parentId: TaskId | null;
  readonly phase: { number: number | undefined; name: string | undefined };
  readonly name: string;
  readonly goal: string;
  readonly areas: readonly string[];
  readonly callerType: Evidence["callerType"];
  readonly agentName: string | null;
  readonly snapshot: Snapshot;
}

/** Starts a task with a picture of the tree as it is. */
export async function startWithEvidence(
  work: Work,
  ask: TaskStart,
): Promise<{ task: Task; phase: Phase | null; isNewPhase: boolean }> {
  if (ask.besideId !== undefined) await checkOwnIfKnown(work, ask.besideId);
  const workflow = await findWorkflow(work.db, ask.workflowId);
  if (!workflow) throw new Refusal("NOT_FOUND", "No mission or workflow has that id.", nextStep("startMission"));
  await getOwnWorkflow(work, workflow.id);
  const brief = await findBrief(work.db, workflow.id);
  if (ask.parentId !== null) await checkParent(work, ask.parentId, workflow.id);
  const isPhased = brief !== undefined && !brief.endsByItself;
  if (!isPhased) await goOn(work, workflow, brief);
  const hasPhase = isPhased || (brief !== undefined && ask.phase.number !== undefined);
  const entered = hasPhase ? await enter(work, await getMission(work.db, workflow.id), ask) : undefined;
  const task = await beginTask(work, {
    workflow,
    name: ask.name,
    description: ask.goal,
    sequence: entered?.phase.number ?? 1,
  });
  await addEvidence(work, task.id, {
    phaseId: entered?.phase.id ?? null,
    parentId: ask.parentId,
    areas: [...ask.areas],
    callerType: ask.callerType,
    agentName: ask.agentName,
    snapshot: ask.snapshot,
  });
  return { task, phase: entered?.phase ?? null, isNewPhase: entered?.isNew ?? false };
}

type Beginning = Omit<Evidence, "taskId" | "receipt" | "version">;

async function addEvidence(work: Work, taskId: TaskId, beginning: Beginning): Promise<Evidence> {
  const evidence: Evidence = { taskId, ...beginning, receipt: null, version: 1 };
  await insertEvidence(work.db, evidence);
  return evidence;
}

/** No picture of the tree. */
export const noSnapshot = (root: string): Snapshot => ({ type: "none", id: "none", root, head: null, files: {} });

/** What is known of a task that another family started. */
const nothingKnown: Beginning = {
  phaseId: null,
  parentId: null,
  areas: [],
  callerType: null,
  agentName: null,
  snapshot: noSnapshot(""),
};

const enter = (work: Work, mission: Mission, ask: TaskStart) =>
  enterPhase(work, mission, {
    number: ask.phase.number ?? Math.max(1, mission.brief.currentPhase),
    name: ask.phase.name,
  });

async function checkParent(work: Work, parentId: TaskId, workflowId: WorkflowId): Promise<void> {
  const parent = await findTask(work.db, parentId);
  if (!parent || parent.workflowId !== workflowId) {
    throw new Refusal(
      "NOT_FOUND",
      "The parent task is not one of this mission.",
      "Leave parent_task_id out, or correct it.",
    );
  }
}

export interface TaskEnd {
  readonly status: Receipt["status"];
  readonly outcome: { summary: string } & Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
  readonly changes: Changes;
  /** This family's word for where a task stands. */
  readonly say: (status: Lifecycle) => string;
  /** What the repository wants to be checked, if anything. */
  readonly configured: ConfiguredChecks | undefined;
}

/** Writes down what is known now; what the checks say comes later, when they have been run. */
export async function writeReceipt(
  work: Work,
  taskId: TaskId,
  ask: TaskEnd,
): Promise<{ evidence: Evidence; receipt: Receipt }> {
  const evidence = (await findEvidence(work.db, taskId)) ?? (await addEvidence(work, taskId, nothingKnown));
  const { changes, configured, status, outcome, metadata } = ask;
  const { added, modified, deleted, isComplete } = changes;
  const unexpectedFiles = findUnexpected([...added, ...modified, ...deleted].sort(), evidence.areas);
  const permit = configured && (await findPermit(work.db, work.place, configured.repository));
  const checks = decideChecks(configured, { status, allowedHash: permit?.configHash, isComplete });
  const scopeMatch = unexpectedFiles.length === 0;
  const level = decideLevel({ changes, scopeMatch, checks });
  const at = work.now;
  const receipt = { changes, scopeMatch, unexpectedFiles, status, outcome, metadata, checks, level, at };
  await saveReceipt(work.db, evidence, receipt);
  if (checks.state === "pending" && configured) {
    const payload = { taskId, folder: evidence.snapshot.root, configHash: configured.configHash, tree: changes.end };
    work.after(runChecks.ask({ key: taskId, subject: taskId, payload }));
  }
  return { evidence, receipt };
}

/** A task ends on its doer's word: what an earlier receipt was worth is no longer its result (RC11). */
export async function forgetResult(work: Work, taskId: TaskId): Promise<void> {
  const evidence = await findTaskEvidence(work.db, taskId);
  if (evidence?.receipt) await clearGlance(work.db, evidence);
}

/** A task under way that the caller may complete, with nothing of it still in hand, or a refusal. */
export async function getTaskToComplete(work: Work, taskId: TaskId, { status, say }: TaskEnd): Promise<Task> {
  if (!(await findTask(work.db, taskId))) throw new Refusal("NOT_FOUND", "No task has that id.");
  const task = await getTaskToWrite(work, taskId);
  if (task.status !== "active") throw stepRefusal(task, status === "failed" ? "failed" : "done", say);
  for (const childId of await listChildren(work.db, taskId)) {
    const child = await findTask(work.db, childId);
    if (child?.status === "active") {
      throw new Refusal("INVALID_STATE", `The sub-task ${childId} is still in progress.`, "Complete it first.");
    }
  }
  return task;
}

/** Whether a task of a workflow was completed without being a full success. */
export async function hasPartialSuccess(work: Work, workflowId: WorkflowId): Promise<boolean> {
  const all = await listEvidence(work.db, taskIdsIn(work.db, workflowId));
  return all.some(({ receipt }) => receipt?.status === "partial_success");
}

/** Distinct files that the tasks of a workflow changed. */
export async function countChangedFiles(work: Work, workflowId: WorkflowId): Promise<number> {
  const files = new Set<string>();
  for (const { receipt } of await listEvidence(work.db, taskIdsIn(work.db, workflowId))) {
    if (!receipt) continue;
    const { added, modified, deleted } = receipt.changes;
    for (const file of [...added, ...modified, ...deleted]) files.add(file);
  }
  return files.size;
}
