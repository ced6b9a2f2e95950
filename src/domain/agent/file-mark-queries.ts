import type { Db } from "../../storage/db.ts";
import type { FileMark, FileSource } from "./file-mark-model.ts";

/** Values for one statement: databases limit how many they take at once. */
const pathsAtOnce = 500;

interface FileMarkFilter {
  /** In these repositories; in any if left out. */
  readonly repos?: readonly string[] | undefined;
  readonly paths: readonly string[];
  readonly sources: readonly FileSource[];
  readonly limit: number;
}

/** Who has marked any of these files, newest first. */
export async function listFileMarks(db: Db, filter: FileMarkFilter): Promise<FileMark[]> {
  const found: FileMark[] = [];
  for (let at = 0; at < filter.paths.length && found.length < filter.limit; at += pathsAtOnce) {
    let query = db.q
      .selectFrom("fileMark")
      .selectAll()
      .where("path", "in", filter.paths.slice(at, at + pathsAtOnce))
      .where("source", "in", filter.sources)
      .orderBy("createdAt", "desc")
      .orderBy("path")
      .orderBy("subjectId")
      .orderBy("source")
      .limit(filter.limit - found.length);
    if (filter.repos !== undefined) query = query.where("repo", "in", filter.repos);
    found.push(...(await db.all(query)));
  }
  return found;
}

/** What is marked in one repository, newest first. */
export async function listRepoMarks(
  db: Db,
  filter: Pick<FileMarkFilter, "sources" | "limit"> & { readonly repo: string },
): Promise<FileMark[]> {
  return db.all(
    db.q
      .selectFrom("fileMark")
      .selectAll()
      .where("repo", "=", filter.repo)
      .where("source", "in", filter.sources)
      .orderBy("createdAt", "desc")
      .limit(filter.limit),
  );
}

/** Everything one subject has marked. */
export async function listFileMarksOf(db: Db, subjectId: string, limit: number): Promise<FileMark[]> {
  return db.all(
    db.q.selectFrom("fileMark").selectAll().where("subjectId", "=", subjectId).orderBy("path").limit(limit),
  );
}
