import type { AgentId, TaskId, WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import { listOpenTaskIds } from "../task/container-queries.ts";
import type { Work } from "../work.ts";
import type { Workflow } from "../workflow/model.ts";
import {
  channelsOf,
  getOwnWorkstream,
  moveWorkstream,
  openWorkstream,
  workstreamEvent,
} from "../workflow/workstream-operations.ts";
import { listOpenWorkstreams } from "../workflow/workstream-queries.ts";
import { type Aim, type Intent, isClosed } from "./model.ts";
import { declare } from "./operations.ts";
import { findIntent, listIntents } from "./queries.ts";
import { aimOf, type Edits, listEditedFields } from "./rules.ts";
import { saveIntent } from "./store.ts";

/** A workstream with what it is about. */
export interface TeamWorkstream {
  readonly workstream: Workflow;
  readonly intent: Intent | undefined;
}

/** Makes a workstream, planned or under way. The caller records how it began. */
export async function makeWorkstream(work: Work, aim: Aim, status: "planned" | "active"): Promise<TeamWorkstream> {
  const description = aim.description ?? "";
  const workstream = await openWorkstream(work, { name: aim.title, description, status, endsWithTasks: false });
  return { workstream, intent: await declare(work, workstream.id, aim) };
}

async function getTeamWorkstream(work: Work, id: WorkflowId): Promise<TeamWorkstream> {
  const workstream = await getOwnWorkstream(work, id);
  return { workstream, intent: await findIntent(work.db, id) };
}

/** The caller's own workstreams that take tasks and that somebody meant as such, last changed first. */
export async function listNamedWorkstreams({ db, caller }: Work, limit: number): Promise<TeamWorkstream[]> {
  const workstreams = await listOpenWorkstreams(db, caller.developerId, limit);
  const intents = await listIntents(
    db,
    workstreams.map(({ id }) => id),
  );
  return workstreams.map((workstream) => ({ workstream, intent: intents.get(workstream.id) }));
}

/** A planned workstream of the caller's own. */
export async function getPlannedWorkstream(work: Work, id: WorkflowId): Promise<TeamWorkstream> {
  const found = await getTeamWorkstream(work, id);
  if (found.workstream.status === "planned") return found;
  throw new Refusal(
    "INVALID_STATE",
    `Workstream ${id} is not planned any more.`,
    isClosed(found.workstream.status) ? "It is closed; check and start new work." : "It was started; go on with it.",
  );
}

/** What a workstream is about, as if somebody said it now. */
export const aimOfWorkstream = ({ workstream, intent }: TeamWorkstream): Aim =>
  aimOf({ kind: "workstream", title: workstream.name, description: workstream.sourceContent, files: [] }, intent);

/** Sets a planned workstream in motion; the caller has passed the gate and records it. */
export async function activateWorkstream(
  work: Work,
  { workstream, intent }: TeamWorkstream,
  sessionId: Intent["sessionId"],
): Promise<TeamWorkstream> {
  const moved = await moveWorkstream(work, workstream, { to: "active" });
  if (!intent || sessionId === null || sessionId === intent.sessionId) return { workstream: moved, intent };
  await saveIntent(work.db, intent, { sessionId, updatedAt: work.now });
  return { workstream: moved, intent: { ...intent, sessionId } };
}

interface WorkstreamAsk {
  readonly workflowId: WorkflowId;
  readonly sessionId: AgentId | undefined;
}

interface WorkstreamUpdate extends TeamWorkstream {
  /** What it is about stays as it was checked: with such fields nothing was changed. */
  readonly refusedFields: readonly string[];
}

/** Says how a workstream that was started stands. */
export async function updateWorkstream(
  work: Work,
  ask: WorkstreamAsk & { status: "active" | "blocked" | undefined; edits: Edits },
): Promise<WorkstreamUpdate> {
  const fields = listEditedFields(ask.edits);
  if (ask.status === undefined && fields.length === 0) {
    throw new Refusal("INVALID_INPUT", "Nothing to change was given.", "Pass status active or blocked.");
  }
  const found = await enterWorkstream(work, ask);
  if (ask.status === undefined || fields.length > 0) return { ...found, refusedFields: fields };
  return { ...(await setWorkstreamStatus(work, found, ask.status)), refusedFields: [] };
}

async function enterWorkstream(work: Work, ask: WorkstreamAsk): Promise<TeamWorkstream> {
  await useNamedSession(work, ask.sessionId);
  return getTeamWorkstream(work, ask.workflowId);
}

/** Says that a workstream that was started goes on, or waits. Saying what is true already changes nothing. */
async function setWorkstreamStatus(
  work: Work,
  found: TeamWorkstream,
  to: "active" | "blocked",
): Promise<TeamWorkstream> {
  const { workstream } = found;
  if (workstream.status === to) return found;
  if (workstream.status === "planned") {
    throw new Refusal(
      "INVALID_TRANSITION",
      "A planned workstream is not started by an update.",
      nextStep("startPlannedWorkstream"),
      { from: "planned", to, allowed: ["active", "cancelled"] },
    );
  }
  const moved = await moveWorkstream(work, workstream, { to });
  work.record(workstreamEvent.updated(workstream.id, { from: workstream.status, to }, channelsOf(workstream)));
  return { ...found, workstream: moved };
}

/** So many open tasks are named. */
const mostOpenTasks = 100;

interface WorkstreamEnd extends TeamWorkstream {
  /** `repeated`: it had ended so before; `open-tasks`: it has not ended, since tasks in it are open. */
  readonly kind: "ended" | "repeated" | "open-tasks";
  readonly openTaskIds: readonly TaskId[];
}

/** Ends a workstream. Open tasks in it are left open, and only if the caller says that it knows of them. */
export async function completeWorkstream(
  work: Work,
  ask: WorkstreamAsk & { resultSummary: string; confirmsOpenTasks: boolean },
): Promise<WorkstreamEnd> {
  const found = await enterWorkstream(work, ask);
  const { workstream } = found;
  if (workstream.status === "done") return { ...found, kind: "repeated", openTaskIds: [] };
  const openTaskIds = await listOpenTaskIds(work.db, workstream.id, mostOpenTasks);
  if (openTaskIds.length > 0 && !ask.confirmsOpenTasks) {
    return { ...found, kind: "open-tasks", openTaskIds };
  }
  const moved = await moveWorkstream(work, workstream, { to: "done", reason: ask.resultSummary });
  work.record(
    workstreamEvent.completed(workstream.id, { open_task_ids: openTaskIds, by_server: false }, channelsOf(workstream)),
  );
  return { ...found, workstream: moved, kind: "ended", openTaskIds };
}

/** Gives up a workstream that never began. */
export async function cancelWorkstream(work: Work, ask: WorkstreamAsk & { reason: string }): Promise<WorkstreamEnd> {
  const found = await enterWorkstream(work, ask);
  const { workstream, intent } = found;
  const { reason } = ask;
  if (workstream.status === "cancelled") return { ...found, kind: "repeated", openTaskIds: [] };
  const moved = await moveWorkstream(work, workstream, { to: "cancelled", reason });
  if (intent) await saveIntent(work.db, intent, { reason, updatedAt: work.now });
  work.record(workstreamEvent.cancelled(workstream.id, { reason }, channelsOf(workstream)));
  return { workstream: moved, intent: intent && { ...intent, reason }, kind: "ended", openTaskIds: [] };
}
