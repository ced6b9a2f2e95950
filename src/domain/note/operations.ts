import { checkFits } from "../../contract/free-form.ts";
import type { FindingId, NoteId, TaskId, WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { TaskPlan } from "../task/model.ts";
import { getTaskToWrite, replanTask } from "../task/operations.ts";
import type { Work } from "../work.ts";
import { announceBlocked } from "../workflow/brief-operations.ts";
import { noteEvent } from "./events.ts";
import type { Note, NoteKind } from "./model.ts";
import { countNotes, findNote, hasOpenIssue, nextSequence } from "./queries.ts";
import { insertNote, resolveNote, supersedeNotes } from "./store.ts";

/** A note is for reading; what it is about lies in the repository. */
const largestDetail = 64 * 1024;

interface NewNote {
  readonly kind: NoteKind;
  readonly summary: string;
  readonly detail: Record<string, unknown> | null;
  readonly files: readonly string[];
  /** Waits until a person has looked at it. */
  readonly needsHuman?: boolean;
  /** The finding it decides about. */
  readonly findingId?: FindingId;
}

export async function addNote(
  work: Work,
  taskId: TaskId,
  ask: NewNote & { fence?: number | undefined },
): Promise<Note> {
  const { fence, ...note } = ask;
  if (note.detail !== null) checkFits("detail", note.detail, largestDetail);
  return writeNote(work, await getTaskToWrite(work, taskId, fence), note);
}

/** So many milestones are a loop. */
const mostMilestones = 100;

/** Says how far a task is. Answers the how-manieth that was. */
export async function addMilestone(
  work: Work,
  taskId: TaskId,
  { summary, detail }: Pick<NewNote, "summary" | "detail">,
): Promise<{ note: Note; count: number }> {
  const before = await countNotes(work.db, taskId, "milestone");
  if (before >= mostMilestones) {
    throw new Refusal(
      "VALIDATION_ERROR",
      `A task has at most ${mostMilestones} milestones.`,
      "End the task, or write checkpoints.",
    );
  }
  return { note: await addNote(work, taskId, { kind: "milestone", summary, detail, files: [] }), count: before + 1 };
}

/** A person has looked at what waited for one. Doing it twice changes nothing. */
export async function resolveIssue(work: Work, id: NoteId): Promise<Note> {
  const note = await findNote(work.db, id);
  if (!note?.needsHuman) throw new Refusal("NOT_FOUND", "No issue that waits for a person has that id.");
  if (work.caller.role !== "owner" && note.developerId !== work.caller.developerId) {
    throw new Refusal("FORBIDDEN", "That issue is another developer's.", "Ask them, or the team's owner.");
  }
  if (note.resolvedAt !== null) return note;
  await resolveNote(work.db, id, work.now);
  const channels = note.workflowId === null ? [] : [`workflow:${note.workflowId}`];
  work.record(noteEvent.resolved(id, { workflow_id: note.workflowId }, channels));
  if (note.workflowId !== null && !(await hasOpenIssue(work.db, note.workflowId))) {
    await announceBlocked(work, note.workflowId, false);
  }
  return { ...note, resolvedAt: work.now };
}

/**
 * Gives a task another plan: what was noted under the old one is kept but marked as void, and the server itself notes
 * why (NT6).
 */
export async function replanWithNote(
  work: Work,
  taskId: TaskId,
  ask: { reason: string; plan: TaskPlan; say: (status: Lifecycle) => string; fence?: number | undefined },
): Promise<Note> {
  const before = await replanTask(work, taskId, ask);
  await supersedeNotes(work.db, taskId);
  return writeNote(work, before, {
    kind: "replan",
    summary: ask.reason,
    detail: { previous_plan: before.plan, previous_error: before.error },
    files: [],
  });
}

/** Writes a note about a task, about a whole workflow, or about neither; the caller has checked that it may. */
export async function writeNote(
  work: Work,
  about: { readonly id: TaskId | null; readonly workflowId: WorkflowId | null },
  ask: NewNote,
): Promise<Note> {
  const { id: taskId, workflowId } = about;
  const note: Note = {
    ...ask,
    files: [...ask.files],
    id: work.newId("note"),
    workflowId,
    taskId,
    developerId: work.caller.developerId,
    sequence: taskId === null ? 0 : await nextSequence(work.db, taskId),
    isSuperseded: false,
    needsHuman: ask.needsHuman ?? false,
    resolvedAt: null,
    findingId: ask.findingId ?? null,
    createdAt: work.now,
  };
  const isFirst = note.needsHuman && note.workflowId !== null && !(await hasOpenIssue(work.db, note.workflowId));
  await insertNote(work.db, note);
  const { kind, sequence } = note;
  const progress = note.detail?.["progress"];
  const data = {
    workflow_id: workflowId,
    task_id: taskId,
    kind,
    sequence,
    ...(typeof progress === "number" ? { progress } : {}),
  };
  const channels = [
    ...(taskId === null ? [] : [`task:${taskId}`]),
    ...(workflowId === null ? [] : [`workflow:${workflowId}`]),
  ];
  work.record(eventOf(kind)(note.id, data, channels));
  if (isFirst && note.workflowId !== null) await announceBlocked(work, note.workflowId, true);
  return note;
}

function eventOf(kind: NoteKind) {
  if (kind === "decision") return noteEvent.decided;
  if (kind === "issue") return noteEvent.raised;
  return kind === "milestone" ? noteEvent.reached : noteEvent.added;
}
