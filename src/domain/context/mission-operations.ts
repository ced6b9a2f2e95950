import type { WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Receipt } from "../evidence/model.ts";
import { findTaskEvidence, listEvidence } from "../evidence/queries.ts";
import { blockedWorkflowIds, listWorkflowNotes } from "../note/queries.ts";
import { concealNotes } from "../note/sight-operations.ts";
import type { Task } from "../task/model.ts";
import type { Work } from "../work.ts";
import { findBrief, findPhaseById, listPhases } from "../workflow/brief-queries.ts";
import type { Workflow } from "../workflow/model.ts";
import { listWorkflows, type WorkflowFilter } from "../workflow/queries.ts";
import { listLastProven } from "./mission-queries.ts";
import type { FailingCheck, MissionState, TaskMission } from "./task-context.ts";

type Reader = Pick<Work, "db" | "caller">;

const mostBlockers = 5;
const mostReceipts = 50;

interface MissionFilter extends Pick<WorkflowFilter, "statuses" | "limit" | "offset"> {
  /** Whether an issue of it waits for a person. */
  readonly isBlocked?: boolean | undefined;
}

/** Newest first, and how many there are in all. */
export function listMissions(
  db: Db,
  { isBlocked, ...filter }: MissionFilter,
): Promise<{ workflows: Workflow[]; total: number }> {
  const blocked = blockedWorkflowIds(db);
  const waiting = isBlocked === undefined ? {} : isBlocked ? { among: blocked } : { except: blocked };
  return listWorkflows(db, { hasBrief: true, ...filter, ...waiting });
}

/** Undefined for a workflow that is no mission. */
export async function readMission(work: Reader, workflow: Workflow): Promise<MissionState | undefined> {
  const { db } = work;
  const { id } = workflow;
  const brief = await findBrief(db, id);
  if (!brief) return undefined;
  const phases = await listPhases(db, id);
  return {
    brief,
    phase: phases.find(({ number }) => number === brief.currentPhase) ?? phases.at(-1) ?? null,
    blockers: await concealNotes(
      work,
      await listWorkflowNotes(db, {
        workflowId: id,
        kinds: ["issue", "blocker"],
        onlyOpen: true,
        limit: mostBlockers,
      }),
      workflow,
    ),
    failing: latestFailures(await listLatestReceipts(db, id)),
  };
}

export async function readTaskMission(
  work: Reader,
  { id }: Task,
  workflow: Workflow | null,
): Promise<TaskMission | undefined> {
  const { db } = work;
  const mission = workflow === null ? undefined : await readMission(work, workflow);
  const evidence = mission && (await findTaskEvidence(db, id));
  if (!mission || !evidence) return undefined;
  const phase = evidence.phaseId === null ? undefined : await findPhaseById(db, evidence.phaseId);
  return { ...mission, phase: phase ?? null, receipt: evidence.receipt };
}

/** What the last tasks that ended can show, newest first. */
async function listLatestReceipts(db: Db, id: WorkflowId): Promise<{ taskName: string; receipt: Receipt }[]> {
  const tasks = await listLastProven(db, id, mostReceipts);
  const evidence = await listEvidence(
    db,
    tasks.map((task) => task.id),
  );
  const receipts = new Map(evidence.map(({ taskId, receipt }) => [taskId, receipt]));
  return tasks.flatMap((task) => {
    const receipt = receipts.get(task.id);
    return receipt ? [{ taskName: task.name, receipt }] : [];
  });
}

/** What a later run of the same check has passed is settled. */
function latestFailures(receipts: readonly { taskName: string; receipt: Receipt }[]): FailingCheck[] {
  const latest = new Map<string, FailingCheck>();
  for (const { taskName, receipt } of receipts) {
    for (const result of receipt.checks.results) {
      if (!latest.has(result.name)) latest.set(result.name, { taskName, result });
    }
  }
  return [...latest.values()].filter(({ result }) => result.status !== "passed");
}
