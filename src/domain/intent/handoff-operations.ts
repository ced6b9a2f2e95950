import type { AgentId, MessageId, TaskId, WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { passOnFiles } from "../agent/file-mark-operations.ts";
import { hasLiveAgent } from "../agent/queries.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import type { CodeClaim } from "../claim/model.ts";
import { moveClaims } from "../claim/operations.ts";
import { listLiveClaims } from "../claim/queries.ts";
import { isActive, type SharedContext } from "../exchange/model.ts";
import { findLatestContext } from "../exchange/operations.ts";
import { findContext } from "../exchange/queries.ts";
import type { PeerMessage } from "../message/peer-model.ts";
import {
  closeHandoff,
  getHandoffForMe,
  offerHandoff,
  passOnMail,
  withdrawHandoff,
} from "../message/peer-operations.ts";
import type { Developer } from "../person/model.ts";
import { getTeammate } from "../person/teammate-operations.ts";
import { takeOverTask } from "../task/give-operations.ts";
import type { Task } from "../task/model.ts";
import { getTaskToWrite } from "../task/operations.ts";
import { findTask } from "../task/queries.ts";
import type { Work } from "../work.ts";
import { findWorkflow } from "../workflow/queries.ts";
import { openWorkstream, workstreamEvent } from "../workflow/workstream-operations.ts";
import { declare } from "./operations.ts";
import { findIntent } from "./queries.ts";
import { nothingSaid } from "./rules.ts";
import { saveIntent } from "./store.ts";

/** Offers work to a teammate, named by handle or id, with what the giver last published about it. Nothing moves before they accept. */
export async function handOff(
  work: Work,
  ask: { sessionId: AgentId | undefined; to: string; summary: string; taskId: TaskId | null },
): Promise<{ handoff: PeerMessage; to: Developer; context: SharedContext | undefined; isOnline: boolean }> {
  const session = await useNamedSession(work, ask.sessionId);
  const to = await getTeammate(work, ask.to);
  if (ask.taskId !== null) await checkOwnTask(work, ask.taskId);
  const context = await findLatestContext(work.db, { developerId: work.caller.developerId, now: work.now });
  const { summary, taskId } = ask;
  const offer = { sessionId: session?.id ?? null, to: to.id, summary, taskId, contextId: context?.id ?? null };
  const handoff = await offerHandoff(work, offer);
  return { handoff, to, context, isOnline: await hasLiveAgent(work.db, to.id) };
}

async function checkOwnTask(work: Work, id: TaskId): Promise<void> {
  const task = await getTaskToWrite(work, id);
  if (task.developerId !== work.caller.developerId) {
    throw new Refusal("FORBIDDEN", `Task ${id} is another developer's.`, nextStep("giveTaskBack"));
  }
  if (task.endedAt === null) return;
  throw new Refusal("INVALID_STATE", `Task ${id} has ended.`, "Hand over work that is open, or name no task.");
}

interface Acceptance {
  readonly handoff: PeerMessage;
  readonly task: Task | null;
  readonly claims: readonly CodeClaim[];
  /** Null where the giver had published nothing, or has withdrawn or replaced it since. */
  readonly context: SharedContext | null;
  readonly messages: number;
}

/**
 * Takes what was offered to the caller: the task, the code claimed for it, the context, and what the giver has not
 * read about it, all or nothing. Undefined where the task is no longer the giver's to give; the offer is then void.
 */
export async function acceptHandoff(
  work: Work,
  ask: { handoffId: MessageId; sessionId: AgentId | undefined },
): Promise<Acceptance | undefined> {
  const sessionId = (await useNamedSession(work, ask.sessionId))?.id ?? null;
  const handoff = await getHandoffForMe(work, ask.handoffId);
  const context = await findPassedContext(work, handoff);
  const { taskId, fromDeveloperId: from } = handoff;
  if (taskId === null) {
    await closeHandoff(work, handoff, { claims: 0, messages: 0 });
    return { handoff, task: null, claims: [], context, messages: 0 };
  }
  const offered = await findTask(work.db, taskId);
  if (offered === undefined || offered.endedAt !== null || offered.developerId !== from) {
    await withdrawHandoff(work, handoff);
    return undefined;
  }
  const move = { taskId, from, to: work.caller.developerId, sessionId };
  const task = await takeTask(work, offered, sessionId);
  const claims = await moveClaims(work, move);
  const messages = await passOnMail(work, move);
  await closeHandoff(work, handoff, { claims: claims.length, messages });
  return { handoff, task, claims, context, messages };
}

/** What accepting would bring, for whom it waits: the task, the context and the code held for it. Nothing moves. */
export async function readHandoff(
  work: Work,
  id: MessageId,
): Promise<Pick<Acceptance, "handoff" | "task" | "claims" | "context">> {
  const handoff = await getHandoffForMe(work, id);
  const { taskId, fromDeveloperId: developerId } = handoff;
  const task = taskId === null ? null : ((await findTask(work.db, taskId)) ?? null);
  const claims =
    taskId === null ? [] : await listLiveClaims(work.db, { liveAt: work.now, taskId, developerId, limit: mostClaims });
  return { handoff, task, claims, context: await findPassedContext(work, handoff) };
}

const mostClaims = 100;

async function findPassedContext(work: Work, { detail }: PeerMessage): Promise<SharedContext | null> {
  const context = detail.contextId ? await findContext(work.db, detail.contextId) : undefined;
  return context && isActive(context, work.now) ? context : null;
}

async function takeTask(work: Work, offered: Task, sessionId: AgentId | null): Promise<Task> {
  const task = await takeOverTask(work, offered, {
    workflowId: await findContainer(work, offered),
    agentId: sessionId,
  });
  const intent = await findIntent(work.db, task.id);
  if (intent) await saveIntent(work.db, intent, { developerId: task.developerId, sessionId, updatedAt: work.now });
  await passOnFiles(work, { subjectId: task.id, to: task.developerId });
  return task;
}

/** A workstream belongs to one developer: a task that leaves the giver's gets a container of the receiver's own. */
async function findContainer(work: Work, task: Task): Promise<WorkflowId | null> {
  const container = task.workflowId === null ? undefined : await findWorkflow(work.db, task.workflowId);
  if (container?.kind !== "workstream" || container.developerId === work.caller.developerId) return task.workflowId;
  const { name, description } = task;
  const workstream = await openWorkstream(work, { name, description, status: "active", endsWithTasks: true });
  await declare(work, workstream.id, { ...nothingSaid, kind: "workstream", title: name }, { isContainer: true });
  work.record(
    workstreamEvent.autoCreated(workstream.id, { title: name, task_id: task.id }, [`workflow:${workstream.id}`]),
  );
  return workstream.id;
}
