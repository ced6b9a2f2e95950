import type { RepositoryId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { RepositoryRow } from "../../storage/schema.ts";
import type { Repository } from "./model.ts";

export async function findRepositoryByPath(db: Db, path: string): Promise<Repository | undefined> {
  const row = await db.first(db.q.selectFrom("repository").selectAll().where("path", "=", path));
  return row && repositoryOf(row);
}

export async function listRepositories(db: Db, page: { limit: number; offset: number }): Promise<Repository[]> {
  const rows = await db.all(
    db.q
      .selectFrom("repository")
      .selectAll()
      .orderBy("createdAt", "desc")
      .orderBy("id")
      .limit(page.limit)
      .offset(page.offset),
  );
  return rows.map(repositoryOf);
}

export async function countRepositories(db: Db): Promise<number> {
  const row = await db.first(db.q.selectFrom("repository").select((of) => of.fn.countAll<number>().as("count")));
  return Number(row?.count ?? 0);
}

const repositoryOf = (row: RepositoryRow): Repository => ({ ...row, id: row.id as RepositoryId });
