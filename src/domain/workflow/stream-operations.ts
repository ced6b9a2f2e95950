import type { WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { SystemWork, Work } from "../work.ts";
import type { Workflow } from "./model.ts";
import { findWorkflow } from "./queries.ts";
import { checkWorkflowOwner } from "./rules.ts";
import { insertWorkflow, saveWorkflow } from "./store.ts";
import { streamEvent } from "./stream-events.ts";
import { checkStreamStep, checkStreamTakesTasks } from "./stream-rules.ts";

export { streamEvent };

interface NewStream {
  readonly name: string;
  readonly description: string;
  readonly status: "planned" | "active";
  readonly endsWithTasks: boolean;
}

/** Makes a workstream; the caller says in an event how that came about. */
export async function openStream(work: Work, ask: NewStream): Promise<Workflow> {
  const stream: Workflow = {
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
  await insertWorkflow(work.db, stream);
  return stream;
}

/** A workstream of the caller's own, or a refusal. */
export async function getOwnStream(work: Pick<Work, "db" | "caller">, id: WorkflowId): Promise<Workflow> {
  const stream = await findWorkflow(work.db, id);
  if (stream?.kind !== "workstream") {
    throw new Refusal("WORKFLOW_NOT_FOUND", "No workstream has that id.", nextStep("seeStreams"));
  }
  checkWorkflowOwner(stream, work.caller);
  return stream;
}

/** Moves a workstream on. The caller has read it as its own, and says in an event what happened. */
export async function moveStream(
  work: Work,
  stream: Workflow,
  ask: { to: Lifecycle; reason?: string | undefined },
): Promise<Workflow> {
  checkStreamStep(stream, ask.to);
  const changes = { status: ask.to, statusReason: ask.reason ?? stream.statusReason, updatedAt: work.now };
  await saveWorkflow(work.db, stream, changes);
  return { ...stream, ...changes, version: stream.version + 1 };
}

/**
 * A task is about to join. The row is saved, so that whoever closes the workstream at this moment because nothing is
 * left in it loses the race, or wins it and the task finds it closed.
 */
export async function joinStream(work: Work, stream: Workflow): Promise<void> {
  checkStreamTakesTasks(stream);
  await saveWorkflow(work.db, stream, { updatedAt: work.now });
}

/** The server closes what it made itself. */
export async function closeContainer(work: SystemWork, stream: Workflow): Promise<void> {
  await saveWorkflow(work.db, stream, { status: "done", updatedAt: work.now });
  work.record(streamEvent.completed(stream.id, { open_task_ids: [], by_server: true }, channelsOf(stream)));
}

/** A task inside has ended and others have not: said in the row, for the same reason as above. */
export async function touchContainer(work: SystemWork, stream: Workflow): Promise<void> {
  await saveWorkflow(work.db, stream, { updatedAt: work.now });
}

export const channelsOf = (stream: Pick<Workflow, "id">): string[] => [`workflow:${stream.id}`];
