import type { NoteId, TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Note } from "./model.ts";

export async function insertNote(db: Db, note: Note): Promise<void> {
  await db.run(
    db.q.insertInto("note").values({
      ...note,
      detail: note.detail === null ? null : JSON.stringify(note.detail),
      files: JSON.stringify(note.files),
      isSuperseded: Number(note.isSuperseded),
      needsHuman: Number(note.needsHuman),
    }),
  );
}

export async function resolveNote(db: Db, id: NoteId, resolvedAt: number): Promise<void> {
  await db.run(db.q.updateTable("note").set({ resolvedAt }).where("id", "=", id));
}

/** Everything noted under the plan that was just given up. */
export async function supersedeNotes(db: Db, taskId: TaskId): Promise<void> {
  await db.run(
    db.q.updateTable("note").set({ isSuperseded: 1 }).where("taskId", "=", taskId).where("isSuperseded", "=", 0),
  );
}
