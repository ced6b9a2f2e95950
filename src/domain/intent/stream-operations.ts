import type { AgentId, TaskId, WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import { listOpenTaskIds } from "../task/container-queries.ts";
import type { Work } from "../work.ts";
import type { Workflow } from "../workflow/model.ts";
import { channelsOf, getOwnStream, moveStream, openStream, streamEvent } from "../workflow/stream-operations.ts";
import { listNamedOpenStreams } from "../workflow/stream-queries.ts";
import { type Aim, type Intent, isClosed } from "./model.ts";
import { declare } from "./operations.ts";
import { findIntent, listIntents } from "./queries.ts";
import { aimOf, type Edits, listEditedFields } from "./rules.ts";
import { saveIntent } from "./store.ts";

/** A workstream with what it is about. */
export interface TeamStream {
  readonly stream: Workflow;
  readonly intent: Intent | undefined;
}

/** Makes a workstream, planned or under way. The caller records how it began. */
export async function makeStream(work: Work, aim: Aim, status: "planned" | "active"): Promise<TeamStream> {
  const description = aim.description ?? "";
  const stream = await openStream(work, { name: aim.title, description, status, endsWithTasks: false });
  return { stream, intent: await declare(work, stream.id, aim) };
}

async function getTeamStream(work: Work, id: WorkflowId): Promise<TeamStream> {
  const stream = await getOwnStream(work, id);
  return { stream, intent: await findIntent(work.db, id) };
}

/** The caller's own workstreams that take tasks and that somebody meant as such, last changed first. */
export async function listNamedStreams({ db, caller }: Work, limit: number): Promise<TeamStream[]> {
  const streams = await listNamedOpenStreams(db, caller.developerId, limit);
  const intents = await listIntents(
    db,
    streams.map(({ id }) => id),
  );
  return streams.map((stream) => ({ stream, intent: intents.get(stream.id) }));
}

/** A planned workstream of the caller's own. */
export async function getPlannedStream(work: Work, id: WorkflowId): Promise<TeamStream> {
  const found = await getTeamStream(work, id);
  if (found.stream.status === "planned") return found;
  throw new Refusal(
    "INVALID_STATE",
    `Workstream ${id} is not planned any more.`,
    isClosed(found.stream.status) ? "It is closed; check and start new work." : "It was started; go on with it.",
  );
}

/** What a workstream is about, as if somebody said it now. */
export const aimOfStream = ({ stream, intent }: TeamStream): Aim =>
  aimOf({ kind: "workstream", title: stream.name, description: stream.sourceContent, files: [] }, intent);

/** Sets a planned workstream in motion; the caller has passed the gate and records it. */
export async function activateStream(
  work: Work,
  { stream, intent }: TeamStream,
  sessionId: Intent["sessionId"],
): Promise<TeamStream> {
  const moved = await moveStream(work, stream, { to: "active" });
  if (!intent || sessionId === null || sessionId === intent.sessionId) return { stream: moved, intent };
  await saveIntent(work.db, intent, { sessionId, updatedAt: work.now });
  return { stream: moved, intent: { ...intent, sessionId } };
}

interface StreamAsk {
  readonly workflowId: WorkflowId;
  readonly sessionId: AgentId | undefined;
}

interface StreamUpdate extends TeamStream {
  /** What it is about stays as it was checked: with such fields nothing was changed. */
  readonly refusedFields: readonly string[];
}

/** Says how a workstream that was started stands. */
export async function updateStream(
  work: Work,
  ask: StreamAsk & { status: "active" | "blocked" | undefined; edits: Edits },
): Promise<StreamUpdate> {
  const fields = listEditedFields(ask.edits);
  if (ask.status === undefined && fields.length === 0) {
    throw new Refusal("INVALID_INPUT", "Nothing to change was given.", "Pass status active or blocked.");
  }
  const found = await enterStream(work, ask);
  if (ask.status === undefined || fields.length > 0) return { ...found, refusedFields: fields };
  return { ...(await setStreamStatus(work, found, ask.status)), refusedFields: [] };
}

async function enterStream(work: Work, ask: StreamAsk): Promise<TeamStream> {
  await useNamedSession(work, ask.sessionId);
  return getTeamStream(work, ask.workflowId);
}

/** Says that a workstream that was started goes on, or waits. Saying what is true already changes nothing. */
async function setStreamStatus(work: Work, found: TeamStream, to: "active" | "blocked"): Promise<TeamStream> {
  const { stream } = found;
  if (stream.status === to) return found;
  if (stream.status === "planned") {
    throw new Refusal(
      "INVALID_TRANSITION",
      "A planned workstream is not started by an update.",
      nextStep("startPlannedStream"),
      { from: "planned", to, allowed: ["active", "cancelled"] },
    );
  }
  const moved = await moveStream(work, stream, { to });
  work.record(streamEvent.updated(stream.id, { from: stream.status, to }, channelsOf(stream)));
  return { ...found, stream: moved };
}

/** So many open tasks are named. */
const mostOpenTasks = 100;

interface StreamEnd extends TeamStream {
  /** `repeated`: it had ended so before; `open-tasks`: it has not ended, since tasks in it are open. */
  readonly kind: "ended" | "repeated" | "open-tasks";
  readonly openTaskIds: readonly TaskId[];
}

/** Ends a workstream. Open tasks in it are left open, and only if the caller says that it knows of them. */
export async function completeStream(
  work: Work,
  ask: StreamAsk & { resultSummary: string; confirmsOpenTasks: boolean },
): Promise<StreamEnd> {
  const found = await enterStream(work, ask);
  const { stream } = found;
  if (stream.status === "done") return { ...found, kind: "repeated", openTaskIds: [] };
  const openTaskIds = await listOpenTaskIds(work.db, stream.id, mostOpenTasks);
  if (openTaskIds.length > 0 && !ask.confirmsOpenTasks) {
    return { ...found, kind: "open-tasks", openTaskIds };
  }
  const moved = await moveStream(work, stream, { to: "done", reason: ask.resultSummary });
  work.record(streamEvent.completed(stream.id, { open_task_ids: openTaskIds, by_server: false }, channelsOf(stream)));
  return { ...found, stream: moved, kind: "ended", openTaskIds };
}

/** Gives up a workstream that never began. */
export async function cancelStream(work: Work, ask: StreamAsk & { reason: string }): Promise<StreamEnd> {
  const found = await enterStream(work, ask);
  const { stream, intent } = found;
  const { reason } = ask;
  if (stream.status === "cancelled") return { ...found, kind: "repeated", openTaskIds: [] };
  const moved = await moveStream(work, stream, { to: "cancelled", reason });
  if (intent) await saveIntent(work.db, intent, { reason, updatedAt: work.now });
  work.record(streamEvent.cancelled(stream.id, { reason }, channelsOf(stream)));
  return { stream: moved, intent: intent && { ...intent, reason }, kind: "ended", openTaskIds: [] };
}
