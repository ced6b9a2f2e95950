import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Repository } from "./model.ts";

export async function findRepositoryByPath(db: Db, path: string): Promise<Repository | undefined> {
  return db.first(db.q.selectFrom("repository").selectAll().where("path", "=", path));
}

interface RepositoryFilter {
  /** Not what these people registered. */
  readonly except: readonly DeveloperId[];
}

export async function listRepositories(
  db: Db,
  page: RepositoryFilter & { readonly limit: number; readonly offset: number },
): Promise<Repository[]> {
  return db.all(
    seen(db, page).selectAll().orderBy("createdAt", "desc").orderBy("id").limit(page.limit).offset(page.offset),
  );
}

export async function countRepositories(db: Db, filter: RepositoryFilter): Promise<number> {
  const row = await db.first(seen(db, filter).select((of) => of.fn.countAll<number>().as("count")));
  return Number(row?.count ?? 0);
}

const seen = (db: Db, { except }: RepositoryFilter) =>
  db.q
    .selectFrom("repository")
    .$if(except.length > 0, (query) =>
      query.where((of) => of.or([of("developerId", "is", null), of("developerId", "not in", except)])),
    );
