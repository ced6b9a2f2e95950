import { checkFits } from "../../contract/free-form.ts";
import type { TaskId } from "../../contract/ids.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Task, TaskPlan } from "../task/model.ts";
import { getTaskToWrite, replanTask } from "../task/operations.ts";
import type { Work } from "../work.ts";
import { noteEvent } from "./events.ts";
import type { Note, NoteKind } from "./model.ts";
import { countCurrentNotes, insertNote, listChangedFiles, listNotes, nextSequence, supersedeNotes } from "./store.ts";

export { countCurrentNotes, listChangedFiles, listNotes };

/** A note is for reading; what it is about lies in the repository. */
const largestDetail = 64 * 1024;

export interface NewNote {
  readonly kind: NoteKind;
  readonly summary: string;
  readonly detail: Record<string, unknown> | null;
  readonly files: readonly string[];
}

export async function addNote(
  work: Work,
  taskId: TaskId,
  ask: NewNote & { fence?: number | undefined },
): Promise<Note> {
  const { fence, ...note } = ask;
  if (note.detail !== null) checkFits("detail", note.detail, largestDetail);
  return write(work, await getTaskToWrite(work, taskId, fence), note);
}

/**
 * Gives a task another plan: what was noted under the old one is kept but marked as void, and the server itself notes
 * why (F6).
 */
export async function replanWithNote(
  work: Work,
  taskId: TaskId,
  ask: { reason: string; plan: TaskPlan; say: (status: Lifecycle) => string; fence?: number | undefined },
): Promise<Note> {
  const before = await replanTask(work, taskId, ask);
  await supersedeNotes(work.db, taskId);
  return write(work, before, {
    kind: "replan",
    summary: ask.reason,
    detail: { previous_plan: before.plan, previous_error: before.error },
    files: [],
  });
}

async function write(work: Work, task: Task, ask: NewNote): Promise<Note> {
  const note: Note = {
    ...ask,
    files: [...ask.files],
    id: work.newId("note"),
    workflowId: task.workflowId,
    taskId: task.id,
    developerId: work.caller.developerId,
    sequence: await nextSequence(work.db, task.id),
    isSuperseded: false,
    createdAt: work.now,
  };
  await insertNote(work.db, note);
  const { kind, sequence } = note;
  const data = { workflow_id: task.workflowId, task_id: task.id, kind, sequence };
  const channels = [`task:${task.id}`, ...(task.workflowId === null ? [] : [`workflow:${task.workflowId}`])];
  work.record(noteEvent.added(note.id, data, channels));
  return note;
}
