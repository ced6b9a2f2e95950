import type { AgentId, TaskId, WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { markTargets } from "../agent/file-mark-operations.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import type { Task } from "../task/model.ts";
import { getTaskToWrite } from "../task/operations.ts";
import { addTask, channelsOf, editPlannedTask, moveTask, stepEvent } from "../task/step-operations.ts";
import type { Work } from "../work.ts";
import type { Workflow } from "../workflow/model.ts";
import {
  getOwnWorkstream,
  joinWorkstream,
  openWorkstream,
  workstreamEvent,
} from "../workflow/workstream-operations.ts";
import { type Aim, type Intent, isClosed } from "./model.ts";
import { findIntent } from "./queries.ts";
import { aimOf, type Edits, listEditedFields, nothingSaid } from "./rules.ts";
import { insertIntent, saveIntent } from "./store.ts";

/** A task of the team with what it is about; tasks of other families have no intent. */
export interface TeamTask {
  readonly task: Task;
  readonly intent: Intent | undefined;
}

/** Where a new task goes: a workstream that is there, or one the server makes for it. */
export type Container = { readonly workstream: Workflow } | { readonly workstream: null };

/** A workstream the caller named for a task. */
export async function getNamedContainer(work: Work, id: WorkflowId): Promise<Container> {
  return { workstream: await getOwnWorkstream(work, id) };
}

/** Makes a task, planned or under way, in its workstream. The caller records how it began. */
export async function makeTask(
  work: Work,
  aim: Aim,
  ask: { status: "planned" | "active"; container: Container },
): Promise<TeamTask & { container: Workflow }> {
  const container = ask.container.workstream ?? (await openContainer(work, aim));
  if (ask.container.workstream) await joinWorkstream(work, ask.container.workstream);
  const task = await addTask(work, {
    name: aim.title,
    description: aim.description ?? "",
    files: aim.files,
    status: ask.status,
    workflow: container,
  });
  if (!ask.container.workstream) {
    work.record(
      workstreamEvent.autoCreated(container.id, { title: container.name, task_id: task.id }, [
        `workflow:${container.id}`,
      ]),
    );
  }
  const intent = await declare(work, task.id, aim);
  await markFiles(work, task.id, aim);
  return { task, intent, container };
}

async function openContainer(work: Work, aim: Aim): Promise<Workflow> {
  const description = aim.scope ?? aim.description ?? "";
  const workstream = await openWorkstream(work, {
    name: aim.title,
    description,
    status: "active",
    endsWithTasks: true,
  });
  await declare(work, workstream.id, { ...aim, kind: "workstream" }, { isContainer: true });
  return workstream;
}

/** Notes what a task or a workstream is about. */
export async function declare(
  work: Work,
  subjectId: string,
  aim: Aim,
  { isContainer = false }: { isContainer?: boolean } = {},
): Promise<Intent> {
  const intent: Intent = {
    subjectId,
    kind: aim.kind,
    developerId: work.caller.developerId,
    sessionId: aim.sessionId,
    repo: aim.repo,
    branch: aim.branch,
    scope: aim.scope,
    action: aim.action,
    component: aim.component,
    priority: aim.priority,
    taskType: aim.taskType,
    isContainer,
    reason: null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertIntent(work.db, intent);
  return intent;
}

async function markFiles(work: Work, subjectId: string, { files, repo }: Aim): Promise<void> {
  if (files.length > 0) await markTargets(work, { subjectId, repo, paths: files });
}

/** A task the caller may write to, with what it is about. */
export async function getOwnTask(work: Work, id: TaskId): Promise<TeamTask> {
  const task = await getTaskToWrite(work, id);
  return { task, intent: await findIntent(work.db, id) };
}

/** A planned task of the caller's own. */
export async function getPlannedTask(work: Work, id: TaskId): Promise<TeamTask> {
  const found = await getOwnTask(work, id);
  if (found.task.status === "planned") return found;
  throw new Refusal(
    "INVALID_STATE",
    `Task ${id} is not planned any more.`,
    isClosed(found.task.status) ? "It is closed; check and start new work." : "It was started; go on with it.",
  );
}

/** What a task is about, as if somebody said it now. */
export const aimOfTask = ({ task, intent }: TeamTask): Aim =>
  aimOf({ kind: "task", title: task.name, description: task.description, files: task.files }, intent);

/** Sets a planned task in motion; the caller has passed the gate and records it. */
export async function activateTask(
  work: Work,
  { task, intent }: TeamTask,
  sessionId: Intent["sessionId"],
): Promise<TeamTask> {
  const moved = await moveTask(work, task, "active");
  if (!intent || sessionId === null || sessionId === intent.sessionId) return { task: moved, intent };
  await saveIntent(work.db, intent, { sessionId, updatedAt: work.now });
  return { task: moved, intent: { ...intent, sessionId } };
}

type TaskUpdate = TeamTask & {
  /** `started`: what it is about stays as it was checked, so that nothing was changed. */
  readonly kind: "moved" | "edited" | "started";
  readonly fields: readonly string[];
};

/** Says how a task that was started stands, or edits one that is still planned. */
export async function updateTask(
  work: Work,
  ask: { taskId: TaskId; sessionId: AgentId | undefined; status: "active" | "blocked" | undefined; edits: Edits },
): Promise<TaskUpdate> {
  const fields = listEditedFields(ask.edits);
  if (ask.status === undefined && fields.length === 0) {
    throw new Refusal("INVALID_INPUT", "Nothing to change was given.", "Pass status, or fields of a planned task.");
  }
  await useNamedSession(work, ask.sessionId);
  const found = await getOwnTask(work, ask.taskId);
  const isPlanned = found.task.status === "planned";
  if (fields.length === 0 || (isPlanned && ask.status !== undefined)) {
    return { ...(await setTaskStatus(work, found, ask.status ?? "active")), kind: "moved", fields };
  }
  if (!isPlanned) return { ...found, kind: "started", fields };
  return { ...(await editTask(work, found, ask.edits)), kind: "edited", fields };
}

/** Edits a task before its start. */
async function editTask(work: Work, { task, intent }: TeamTask, edits: Edits): Promise<TeamTask> {
  const { title, description, ...declared } = edits;
  const changed = await editPlannedTask(work, task, withoutUndefined({ name: title, description }));
  const fields = listEditedFields(edits);
  work.record(stepEvent.plannedUpdated(task.id, { workflow_id: task.workflowId, fields }, channelsOf(task)));
  const changes = withoutUndefined(declared);
  if (Object.keys(changes).length === 0) return { task: changed, intent };
  if (intent) await saveIntent(work.db, intent, { ...changes, updatedAt: work.now });
  const known =
    intent ?? (await declare(work, task.id, { ...nothingSaid, kind: "task", title: task.name, ...changes }));
  return { task: changed, intent: { ...known, ...changes, updatedAt: work.now } };
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

const withoutUndefined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;

/** Says that a task that was started goes on, or waits. Saying what is true already changes nothing. */
async function setTaskStatus(work: Work, found: TeamTask, to: "active" | "blocked"): Promise<TeamTask> {
  const { task } = found;
  if (task.status === to) return found;
  if (task.status === "planned") throw notStarted(task);
  const moved = await moveTask(work, task, to);
  work.record(stepEvent.updated(task.id, { workflow_id: task.workflowId, from: task.status, to }, channelsOf(task)));
  return { ...found, task: moved };
}

const notStarted = (task: Task): Refusal =>
  new Refusal(
    "INVALID_TRANSITION",
    "A planned task is not started by an update.",
    nextStep("startPlannedTask", { task_id: task.id }),
    { from: "planned", to: "active", allowed: ["active", "cancelled"] },
  );
