import type { AgentId, DeveloperId, SharedContextId, TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { SharedContextRow } from "../../storage/schema-team.ts";
import type { SharedContext } from "./model.ts";

export async function findContext(db: Db, id: SharedContextId): Promise<SharedContext | undefined> {
  const row = await db.first(db.q.selectFrom("sharedContext").selectAll().where("id", "=", id));
  return row && contextOf(row);
}

interface ContextFilter {
  readonly developerId?: DeveloperId | undefined;
  /** Only of this repository and branch; null where none was named. */
  readonly place?: { readonly repo: string | null; readonly branch: string | null } | undefined;
  readonly sessionIds?: readonly AgentId[] | undefined;
  readonly now: number;
  readonly limit: number;
}

/** What is neither withdrawn nor replaced nor expired, newest first. */
export async function listActiveContexts(db: Db, filter: ContextFilter): Promise<SharedContext[]> {
  let query = db.q
    .selectFrom("sharedContext")
    .selectAll()
    .where("revokedAt", "is", null)
    .where("supersededBy", "is", null)
    .where("expiresAt", ">", filter.now)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit);
  if (filter.developerId !== undefined) query = query.where("developerId", "=", filter.developerId);
  if (filter.sessionIds !== undefined) query = query.where("sessionId", "in", filter.sessionIds);
  if (filter.place !== undefined) {
    const { repo, branch } = filter.place;
    query = repo === null ? query.where("repo", "is", null) : query.where("repo", "=", repo);
    query = branch === null ? query.where("branch", "is", null) : query.where("branch", "=", branch);
  }
  return (await db.all(query)).map(contextOf);
}

const contextOf = (row: SharedContextRow): SharedContext => ({
  ...row,
  files: JSON.parse(row.files) as string[],
  nextActions: JSON.parse(row.nextActions) as string[],
  blockers: JSON.parse(row.blockers) as string[],
  taskIds: JSON.parse(row.taskIds) as TaskId[],
});
