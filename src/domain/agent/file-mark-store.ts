import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { FileMarkRow } from "../../storage/schema-team.ts";
import type { FileMark, FileSource } from "./file-mark-model.ts";

/** Rows for one statement: databases limit how many values they take at once. */
const rowsAtOnce = 500;

/** Puts these paths in the place of what the subject had marked from this source. */
export async function replaceFileMarks(
  db: Db,
  ask: Omit<FileMark, "path"> & { readonly paths: readonly string[] },
): Promise<void> {
  const { paths, ...mark } = ask;
  await deleteFileMarks(db, ask.subjectId, [ask.source]);
  const rows: FileMarkRow[] = [...new Set(paths)].map((path) => ({ ...mark, path }));
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await db.run(db.q.insertInto("fileMark").values(rows.slice(at, at + rowsAtOnce)));
  }
}

export async function deleteFileMarks(db: Db, subjectId: string, sources: readonly FileSource[]): Promise<void> {
  await db.run(db.q.deleteFrom("fileMark").where("subjectId", "=", subjectId).where("source", "in", sources));
}

/** Forgets what sessions reported before this moment; what tasks mean to change stays. */
export async function deleteOldReports(db: Db, before: number): Promise<void> {
  await db.run(
    db.q.deleteFrom("fileMark").where("source", "in", ["dirty", "unpushed"]).where("createdAt", "<", before),
  );
}

/** Gives what a subject has marked to another developer. */
export async function passOnFileMarks(db: Db, subjectId: string, developerId: DeveloperId): Promise<void> {
  await db.run(db.q.updateTable("fileMark").set({ developerId }).where("subjectId", "=", subjectId));
}
