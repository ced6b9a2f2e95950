import type { PhaseId, WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Work } from "../work.ts";
import { briefEvent, phaseEvent } from "./brief-events.ts";
import type { Brief, Closing, Phase, Profile } from "./brief-model.ts";
import { findBrief, findPhase, findPhaseById } from "./brief-queries.ts";
import {
  checkCanEnd,
  checkCanGoOn,
  checkIsOpen,
  expectedPhases,
  hasEnded,
  phaseBegun,
  phaseEnded,
} from "./brief-rules.ts";
import { insertBrief, insertPhase, reopenBrief, saveBrief, savePhase } from "./brief-store.ts";
import { workflowEvent } from "./events.ts";
import type { Workflow } from "./model.ts";
import { announceStep, createWorkflow } from "./operations.ts";
import { findWorkflow } from "./queries.ts";
import { checkWorkflowOwner } from "./rules.ts";
import { saveWorkflow } from "./store.ts";

export interface Mission {
  readonly workflow: Workflow;
  readonly brief: Brief;
}

interface NewBrief {
  readonly name: string;
  readonly objective: string;
  readonly description: string | null;
  readonly scope: string | null;
  readonly constraints: string | null;
  readonly profile: Profile;
  readonly totalPhases: number | undefined;
  readonly repositoryPath: string | null;
  /** An older client's workflow: under way at once, and ended by its last task. */
  readonly isLegacy: boolean;
}

export async function startMission(work: Work, ask: NewBrief): Promise<Mission> {
  const workflow = await createWorkflow(work, {
    kind: ask.isLegacy ? "workflow" : "mission",
    name: ask.name,
    sourceType: "custom",
    sourceRef: null,
    sourceContent: ask.objective,
    repositoryPath: ask.repositoryPath,
    maxParallel: 1,
    makesWorktrees: false,
  });
  const brief: Brief = {
    workflowId: workflow.id,
    objective: ask.objective,
    description: ask.description,
    scope: ask.scope,
    constraints: ask.constraints,
    profile: ask.profile,
    totalPhases: ask.totalPhases ?? expectedPhases(ask.profile),
    currentPhase: 0,
    endsByItself: ask.isLegacy,
    closing: null,
    version: 1,
  };
  await insertBrief(work.db, brief);
  if (ask.isLegacy) await saveWorkflow(work.db, workflow, { status: "active", updatedAt: work.now });
  else {
    const { profile, totalPhases } = brief;
    work.record(
      briefEvent.started(workflow.id, { name: ask.name, profile, total_phases: totalPhases }, channelsOf(workflow)),
    );
  }
  return { workflow, brief };
}

const channelsOf = (workflow: Workflow): string[] => [`workflow:${workflow.id}`];

/** A mission of the caller's own, or a refusal in this family's words. */
async function getOwnMission(work: Work, id: WorkflowId): Promise<Mission> {
  const mission = await getMission(work.db, id);
  checkWorkflowOwner(mission.workflow, work.caller);
  return mission;
}

export async function getMission(db: Db, id: WorkflowId): Promise<Mission> {
  const { workflow, brief } = await getAnyMission(db, id);
  if (!brief) throw noMission();
  return { workflow, brief };
}

/** Any workflow can be read as a mission; one that another family made has no phases (MI14). */
export interface AnyMission {
  readonly workflow: Workflow;
  readonly brief: Brief | undefined;
}

export async function getAnyMission(db: Db, id: WorkflowId): Promise<AnyMission> {
  const workflow = await findWorkflow(db, id);
  if (!workflow) throw noMission();
  return { workflow, brief: await findBrief(db, id) };
}

const noMission = (): Refusal => new Refusal("NOT_FOUND", "No mission has that id.", nextStep("startMission"));

/** The phase a task starts in: made when it is first named, begun when it was only planned. */
export async function enterPhase(
  work: Work,
  { workflow, brief }: Mission,
  ask: { number: number; name: string | undefined },
): Promise<{ phase: Phase; isNew: boolean }> {
  checkIsOpen(brief, workflow.status);
  await markUnderWay(work, workflow);
  const known = await findPhase(work.db, workflow.id, ask.number);
  const phase: Phase = known ?? {
    id: work.newId("phase"),
    workflowId: workflow.id,
    number: ask.number,
    name: ask.name ?? `Phase ${ask.number}`,
    status: "active",
    startedAt: work.now,
    endedAt: null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  if (!known) {
    await insertPhase(work.db, phase);
    const data = { workflow_id: workflow.id, number: phase.number, name: phase.name };
    work.record(phaseEvent.begun(phase.id, data, channelsOf(workflow)));
    await advance(work, workflow, brief, phaseBegun(brief, ask.number));
  }
  return { phase, isNew: !known };
}

/** A task sets a workflow without phases under way, and once more after it ended by itself. */
export async function goOn(work: Work, workflow: Workflow, brief: Brief | undefined): Promise<void> {
  checkCanGoOn(brief, workflow.status);
  await reopenBrief(work.db, workflow.id);
  await markUnderWay(work, workflow);
}

/** A task that had ended is taken up again: a workflow that ended by itself goes on with it. */
export async function resumeByItself(work: Work, id: WorkflowId | null): Promise<void> {
  const mission = id === null ? undefined : await findSelfEnding(work.db, id);
  if (mission?.brief.closing?.summary === "") await goOn(work, mission.workflow, mission.brief);
}

/** A workflow that ends with its last task, or undefined. */
export async function findSelfEnding(db: Db, id: WorkflowId): Promise<Mission | undefined> {
  const brief = await findBrief(db, id);
  const workflow = brief?.endsByItself ? await findWorkflow(db, id) : undefined;
  return workflow && brief && { workflow, brief };
}

async function markUnderWay(work: Work, workflow: Workflow): Promise<void> {
  if (workflow.status === "active") return;
  await saveWorkflow(work.db, workflow, { status: "active", updatedAt: work.now });
  // Its first phase announces that a mission began.
  if (workflow.kind !== "mission" || workflow.status !== "planned") announceStep(work, workflow, "active");
}

/** Whoever watches a mission is told of every phase that begins or ends, also where the current one stays. */
async function advance(work: Work, workflow: Workflow, brief: Brief, to: number): Promise<void> {
  if (to !== brief.currentPhase) await saveBrief(work.db, brief, { currentPhase: to });
  work.record(briefEvent.advanced(workflow.id, { current_phase: to }, channelsOf(workflow)));
}

/** Tells whoever watches a mission that it waits for a person, or no longer does. */
export async function announceBlocked(work: Work, id: WorkflowId, isBlocked: boolean): Promise<void> {
  if (!(await findBrief(work.db, id))) return;
  work.record(briefEvent.blocked(id, { is_blocked: isBlocked }, [`workflow:${id}`]));
}

/** Tells whoever watches a workflow of the older form that one of its tasks stands elsewhere now. */
export async function announceProgress(
  work: Pick<Work, "db" | "record">,
  id: WorkflowId | null,
  data: { readonly task_id: string; readonly status: Lifecycle },
): Promise<void> {
  const brief = id === null ? undefined : await findBrief(work.db, id);
  if (brief?.endsByItself) work.record(workflowEvent.progressed(brief.workflowId, data));
}

export async function endPhase(work: Work, phaseId: PhaseId, isFailed: boolean): Promise<Phase> {
  const phase = await findPhaseById(work.db, phaseId);
  if (!phase) throw new Refusal("NOT_FOUND", "The task's phase is gone.");
  if (hasEnded(phase)) return phase;
  const status = isFailed ? "failed" : "done";
  await savePhase(work.db, phase, { status, endedAt: work.now, updatedAt: work.now });
  const { workflow, brief } = await getMission(work.db, phase.workflowId);
  const data = { workflow_id: workflow.id, number: phase.number, status };
  work.record(phaseEvent.ended(phase.id, data, channelsOf(workflow)));
  await advance(work, workflow, brief, isFailed ? brief.currentPhase : phaseEnded(brief, phase.number));
  return { ...phase, status, endedAt: work.now };
}

export async function endMission(work: Work, id: WorkflowId, closing: Omit<Closing, "at">): Promise<Mission> {
  const { workflow, brief } = await getOwnMission(work, id);
  checkCanEnd(brief, workflow.status);
  return close(work, { workflow, brief }, { ...closing, at: work.now });
}

/** Ends a workflow that ends with its last task. */
export async function endByItself(work: Work, mission: Mission, isFailed: boolean): Promise<void> {
  const status = isFailed ? "failed" : "completed";
  await close(work, mission, { status, summary: "", achievements: [], limitations: [], at: work.now });
}

async function close(work: Work, { workflow, brief }: Mission, closing: Closing): Promise<Mission> {
  await saveBrief(work.db, brief, { closing });
  const status = closing.status === "failed" ? "failed" : "done";
  await saveWorkflow(work.db, workflow, { status, statusReason: closing.summary || null, updatedAt: work.now });
  const ended = brief.endsByItself
    ? workflowEvent.statusChanged(workflow.id, { from: workflow.status, to: status })
    : briefEvent.ended(workflow.id, { status: closing.status }, channelsOf(workflow));
  work.record(ended);
  return { workflow: { ...workflow, status }, brief: { ...brief, closing } };
}
