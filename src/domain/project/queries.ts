import type { Db } from "../../storage/db.ts";
import type { Repository } from "./model.ts";

export async function findRepositoryByPath(db: Db, path: string): Promise<Repository | undefined> {
  return db.first(db.q.selectFrom("repository").selectAll().where("path", "=", path));
}

export async function listRepositories(db: Db, page: { limit: number; offset: number }): Promise<Repository[]> {
  return db.all(
    db.q
      .selectFrom("repository")
      .selectAll()
      .orderBy("createdAt", "desc")
      .orderBy("id")
      .limit(page.limit)
      .offset(page.offset),
  );
}

export async function countRepositories(db: Db): Promise<number> {
  const row = await db.first(db.q.selectFrom("repository").select((of) => of.fn.countAll<number>().as("count")));
  return Number(row?.count ?? 0);
}
