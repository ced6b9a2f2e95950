import type { WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { SystemWork, Work } from "../work.ts";
import type { Workflow } from "./model.ts";
import { findWorkflow } from "./queries.ts";
import { checkWorkflowOwner } from "./rules.ts";
import { insertWorkflow, saveWorkflow } from "./store.ts";
import { workstreamEvent } from "./workstream-events.ts";
import { checkWorkstreamStep, checkWorkstreamTakesTasks } from "./workstream-rules.ts";

export { workstreamEvent };

interface NewWorkstream {
  readonly name: string;
  readonly description: string;
  readonly status: "planned" | "active";
  readonly endsWithTasks: boolean;
}

/** Makes a workstream; the caller says in an event how that came about. */
export async function openWorkstream(work: Work, ask: NewWorkstream): Promise<Workflow> {
  const workstream: Workflow = {
    id: work.newId("workflow"),
    kind: "workstream",
    developerId: work.caller.developerId,
    name: ask.name,
    status: ask.status,
    statusReason: null,
    sourceType: "prompt",
    sourceRef: null,
    sourceContent: ask.description,
    repositoryPath: null,
    maxParallel: 1,
    makesWorktrees: false,
    endsWithTasks: ask.endsWithTasks,
    plan: null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertWorkflow(work.db, workstream);
  return workstream;
}

/** A workstream of the caller's own, or a refusal. */
export async function getOwnWorkstream(work: Pick<Work, "db" | "caller">, id: WorkflowId): Promise<Workflow> {
  const workstream = await findWorkflow(work.db, id);
  if (workstream?.kind !== "workstream") {
    throw new Refusal("WORKFLOW_NOT_FOUND", "No workstream has that id.", nextStep("seeWorkstreams"));
  }
  checkWorkflowOwner(workstream, work.caller);
  return workstream;
}

/** Moves a workstream on. The caller has read it as its own, and says in an event what happened. */
export async function moveWorkstream(
  work: Work,
  workstream: Workflow,
  ask: { to: Lifecycle; reason?: string | undefined },
): Promise<Workflow> {
  checkWorkstreamStep(workstream, ask.to);
  const changes = { status: ask.to, statusReason: ask.reason ?? workstream.statusReason, updatedAt: work.now };
  await saveWorkflow(work.db, workstream, changes);
  return { ...workstream, ...changes, version: workstream.version + 1 };
}

/**
 * A task is about to join. The row is saved, so that whoever closes the workstream at this moment because nothing is
 * left in it loses the race, or wins it and the task finds it closed.
 */
export async function joinWorkstream(work: Work, workstream: Workflow): Promise<void> {
  checkWorkstreamTakesTasks(workstream);
  await saveWorkflow(work.db, workstream, { updatedAt: work.now });
}

/** The server closes what it made itself. */
export async function closeContainer(work: SystemWork, workstream: Workflow): Promise<void> {
  await saveWorkflow(work.db, workstream, { status: "done", updatedAt: work.now });
  work.record(workstreamEvent.completed(workstream.id, { open_task_ids: [], by_server: true }, channelsOf(workstream)));
}

/** A task inside has ended and others have not: said in the row, for the same reason as above. */
export async function touchContainer(work: SystemWork, workstream: Workflow): Promise<void> {
  await saveWorkflow(work.db, workstream, { updatedAt: work.now });
}

export const channelsOf = (workstream: Pick<Workflow, "id">): string[] => [`workflow:${workstream.id}`];
