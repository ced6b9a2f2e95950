import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { FileMarkRow } from "../../storage/schema-team.ts";
import type { FileMark, FileSource } from "./file-mark-model.ts";

/** Values for one statement: databases limit how many they take at once. */
const pathsAtOnce = 500;

/** Puts these paths in the place of what the subject had marked from this source. */
export async function replaceFileMarks(
  db: Db,
  ask: Omit<FileMark, "path"> & { readonly paths: readonly string[] },
): Promise<void> {
  const { paths, ...mark } = ask;
  await deleteFileMarks(db, ask.subjectId, [ask.source]);
  const rows: FileMarkRow[] = [...new Set(paths)].map((path) => ({ ...mark, path }));
  for (let at = 0; at < rows.length; at += pathsAtOnce) {
    await db.run(db.q.insertInto("fileMark").values(rows.slice(at, at + pathsAtOnce)));
  }
}

export async function deleteFileMarks(
  db: Db,
  subjectId: string,
  sources: readonly FileSource[] = ["target", "dirty", "unpushed"],
): Promise<void> {
  await db.run(db.q.deleteFrom("fileMark").where("subjectId", "=", subjectId).where("source", "in", sources));
}

/** Forgets what sessions reported before this moment; what tasks mean to change stays. */
export async function deleteOldReports(db: Db, before: number): Promise<void> {
  await db.run(
    db.q.deleteFrom("fileMark").where("source", "in", ["dirty", "unpushed"]).where("createdAt", "<", before),
  );
}

/** The repository of those who name none. */
export const unnamedRepo = "";

export interface FileMarkFilter {
  /** In these repositories; in any if left out. */
  readonly repos?: readonly string[] | undefined;
  readonly paths: readonly string[];
  readonly sources?: readonly FileSource[] | undefined;
  /** Marked at this moment or later. */
  readonly since?: number | undefined;
  readonly limit: number;
}

/** Gives what a subject has marked to another developer. */
export async function passOnFileMarks(db: Db, subjectId: string, developerId: DeveloperId): Promise<void> {
  await db.run(db.q.updateTable("fileMark").set({ developerId }).where("subjectId", "=", subjectId));
}

/** Who has marked any of these files, newest first. */
export async function listFileMarks(db: Db, filter: FileMarkFilter): Promise<FileMark[]> {
  const found: FileMark[] = [];
  for (let at = 0; at < filter.paths.length && found.length < filter.limit; at += pathsAtOnce) {
    let query = db.q
      .selectFrom("fileMark")
      .selectAll()
      .where("path", "in", filter.paths.slice(at, at + pathsAtOnce))
      .orderBy("createdAt", "desc")
      .orderBy("path")
      .orderBy("subjectId")
      .orderBy("source")
      .limit(filter.limit - found.length);
    if (filter.repos !== undefined) query = query.where("repo", "in", filter.repos);
    if (filter.sources !== undefined) query = query.where("source", "in", filter.sources);
    if (filter.since !== undefined) query = query.where("createdAt", ">=", filter.since);
    found.push(...(await db.all(query)).map(fileMarkOf));
  }
  return found;
}

/** What is marked in a repository, newest first. */
export async function listRepoMarks(db: Db, repo: string, limit: number): Promise<FileMark[]> {
  const rows = await db.all(
    db.q.selectFrom("fileMark").selectAll().where("repo", "=", repo).orderBy("createdAt", "desc").limit(limit),
  );
  return rows.map(fileMarkOf);
}

/** Everything one subject has marked. */
export async function listFileMarksOf(db: Db, subjectId: string, limit: number): Promise<FileMark[]> {
  const rows = await db.all(
    db.q.selectFrom("fileMark").selectAll().where("subjectId", "=", subjectId).orderBy("path").limit(limit),
  );
  return rows.map(fileMarkOf);
}

const fileMarkOf = (row: FileMarkRow): FileMark => ({
  ...row,
  source: row.source as FileSource,
  developerId: row.developerId as DeveloperId,
});
