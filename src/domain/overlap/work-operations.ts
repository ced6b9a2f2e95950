import { TaskId, WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import type { Aim } from "../intent/model.ts";
import { getNamedContainer, getPlannedTask, makeTask, type TeamTask } from "../intent/operations.ts";
import { getPlannedWorkstream, makeWorkstream, type TeamWorkstream } from "../intent/workstream-operations.ts";
import { channelsOf, stepEvent } from "../task/step-operations.ts";
import type { Work } from "../work.ts";
import { channelsOf as workstreamChannelsOf, workstreamEvent } from "../workflow/workstream-operations.ts";
import { type FileConflict, listFileConflicts } from "./conflict-operations.ts";
import { chooseContainer } from "./container-operations.ts";
import { type Detection, detectOverlap, type Found } from "./detect-operations.ts";
import { listProbableOverlaps, type ProbableOverlap } from "./footprint-operations.ts";
import { queryOf } from "./gate-operations.ts";
import type { ScopeCheck, Warning } from "./model.ts";
import type { LikeWork } from "./port.ts";
import {
  findConfirmed,
  firstOutcome,
  raiseWarning,
  recordScopeCheck,
  type ScopeCheckAsk,
} from "./scope-check-operations.ts";
import { settleWarnings } from "./warning-operations.ts";

export type { FileConflict, LikeWork, ProbableOverlap };
export { queryOf };

export interface Checked {
  readonly check: ScopeCheck;
  /** What must be judged before the work begins. */
  readonly candidates: readonly Found[];
  readonly matches: readonly Found[];
  /** The best others, for the agent to look at. */
  readonly nearest: readonly Found[];
  readonly conflicts: readonly FileConflict[];
  /** Planned work that will probably touch the same files. */
  readonly probable: readonly ProbableOverlap[];
}

/** Looks for duplicates of work that somebody wants to begin, and writes the look down. */
export async function checkWork(work: Work, ask: ScopeCheckAsk, like: LikeWork): Promise<Checked> {
  const aim = await completeAim(work, ask.aim);
  await checkPlanned(work, aim.kind, ask.plannedId);
  const detection = await detectOverlap(work, queryOf(work, aim), like, ask.plannedId);
  const outcome = firstOutcome(detection, like, await findConfirmed(work, { ...ask, aim }));
  const check = await recordScopeCheck(work, { ...ask, aim }, outcome, like);
  const conflicts = await listFileConflicts(work, aim, ask.plannedId);
  const { matches, nearest } = detection;
  const probable = await listProbableOverlaps(work, ask.plannedId);
  return { check, candidates: outcome.asked, matches, nearest, conflicts, probable };
}

/** A session that is named is used, and says where the work is if the caller does not. */
export async function completeAim(work: Work, aim: Aim): Promise<Aim> {
  const session = await useNamedSession(work, aim.sessionId ?? undefined);
  if (!session) return aim;
  const isThere = aim.repo === null || aim.repo === session.repo;
  return { ...aim, repo: aim.repo ?? session.repo, branch: aim.branch ?? (isThere ? session.branch : null) };
}

async function checkPlanned(work: Work, kind: Aim["kind"], id: string | null): Promise<void> {
  if (id === null) return;
  if (kind === "task") await getPlannedTask(work, TaskId.parse(id));
  else await getPlannedWorkstream(work, WorkflowId.parse(id));
}

interface PlanAsk {
  readonly aim: Aim;
  readonly workstreamId?: WorkflowId | undefined;
}

interface Overlap {
  readonly candidates: readonly Found[];
  readonly matches: readonly Found[];
  readonly nearest: readonly Found[];
  readonly conflicts: readonly FileConflict[];
}

export type Planned = Overlap & { readonly warning: Warning | undefined } & (
    | { readonly kind: "task"; readonly planned: TeamTask; readonly workstreamId: WorkflowId }
    | { readonly kind: "workstream"; readonly planned: TeamWorkstream }
  );

/** Plans work. Overlap is a warning that is kept, never a refusal. */
export async function planWork(work: Work, ask: PlanAsk, like: LikeWork): Promise<Planned> {
  return plan(work, ask, await findForPlan(work, ask.aim, like), like);
}

export type PersonPlan = Planned | (Overlap & { readonly kind: "unconfirmed" });

/**
 * The same for people: nothing is planned while work that may be the same has not been confirmed, and a confirmation
 * settles the warning about it. One without its reason is none.
 */
export async function planAsPerson(
  work: Work,
  ask: PlanAsk & { readonly isConfirmed: boolean; readonly reason: string | undefined },
  like: LikeWork,
): Promise<PersonPlan> {
  const { isConfirmed, reason } = ask;
  if (isConfirmed && reason === undefined) {
    throw new Refusal("INVALID_INPUT", "A confirmation needs its reason.", "Say why in confirmation_reason.");
  }
  const found = await findForPlan(work, ask.aim, like);
  if (!isConfirmed && found.overlap.candidates.length > 0) return { ...found.overlap, kind: "unconfirmed" };
  const planned = await plan(work, ask, found, like);
  if (planned.warning && reason !== undefined) {
    const subjectId = planned.kind === "task" ? planned.planned.task.id : planned.planned.workstream.id;
    await settleWarnings(work, [planned.warning.id], { status: "confirmed", reason }, subjectId);
  }
  return planned;
}

interface Findings {
  readonly aim: Aim;
  readonly overlap: Overlap;
  readonly detection: Detection;
}

async function findForPlan(work: Work, said: Aim, like: LikeWork): Promise<Findings> {
  const aim = await completeAim(work, said);
  const detection = await detectOverlap(work, queryOf(work, aim), like, null);
  const candidates = detection.escalated.slice(0, like.settings.maxCandidates);
  const conflicts = await listFileConflicts(work, aim, null);
  const { matches, nearest } = detection;
  return { aim, detection, overlap: { candidates, matches, nearest, conflicts } };
}

const plan = (work: Work, ask: PlanAsk, found: Findings, like: LikeWork): Promise<Planned> =>
  found.aim.kind === "task"
    ? planTask(work, { ...found, workstreamId: ask.workstreamId }, like)
    : planWorkstream(work, found);

async function planTask(
  work: Work,
  { aim, overlap, detection, workstreamId }: Findings & Pick<PlanAsk, "workstreamId">,
  like: LikeWork,
): Promise<Planned> {
  const named = workstreamId && (await getNamedContainer(work, workstreamId));
  const container = named ?? (await chooseContainer(work, aim, like, detection.matches));
  const made = await makeTask(work, aim, { status: "planned", container });
  const { task } = made;
  const warning = await warnOfPlan(work, aim, task.id, detection);
  const data = { workflow_id: task.workflowId, title: task.name, task_type: aim.taskType };
  work.record(stepEvent.planned(task.id, { ...data, warning_id: warning?.id ?? null }, channelsOf(task)));
  return { ...overlap, kind: "task", planned: made, workstreamId: made.container.id, warning };
}

async function planWorkstream(work: Work, { aim, overlap, detection }: Findings): Promise<Planned> {
  const planned = await makeWorkstream(work, aim, "planned");
  const { workstream } = planned;
  const warning = await warnOfPlan(work, aim, workstream.id, detection);
  const data = { title: workstream.name, warning_id: warning?.id ?? null };
  work.record(workstreamEvent.planned(workstream.id, data, workstreamChannelsOf(workstream)));
  return { ...overlap, kind: "workstream", planned, warning };
}

const warnOfPlan = (work: Work, aim: Aim, subjectId: string, { matches, escalated }: Detection) =>
  raiseWarning(work, aim, { found: matches, isOpen: escalated.length > 0, checkId: null, subjectId });
