import type { AgentId, ClaimId, DeveloperId, TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import type { CodeClaimRow } from "../../storage/schema-team.ts";
import type { CodeClaim } from "./model.ts";

export async function findClaim(db: Db, id: ClaimId): Promise<CodeClaim | undefined> {
  const row = await db.first(byId(db.q, id));
  return row && claimOf(row);
}

const byId = prepare((q, id: ClaimId) => q.selectFrom("codeClaim").selectAll().where("id", "=", id));

interface ClaimFilter {
  /** Claims whose lease goes beyond this moment and which nobody has ended. */
  readonly liveAt: number;
  readonly repo?: string | undefined;
  readonly developerId?: DeveloperId | undefined;
  readonly sessionId?: AgentId | undefined;
  /** Any of these sessions; null stands for none at all. */
  readonly sessionIds?: readonly AgentId[] | null | undefined;
  readonly taskId?: TaskId | undefined;
  readonly limit: number;
}

/** Live claims, in the order they were taken. */
export async function listLiveClaims(db: Db, filter: ClaimFilter): Promise<CodeClaim[]> {
  let query = db.q
    .selectFrom("codeClaim")
    .selectAll()
    .where("endedAt", "is", null)
    .where("expiresAt", ">", filter.liveAt)
    .orderBy("createdAt")
    .orderBy("fence")
    .orderBy("id")
    .limit(filter.limit);
  if (filter.repo !== undefined) query = query.where("repo", "=", filter.repo);
  if (filter.developerId !== undefined) query = query.where("developerId", "=", filter.developerId);
  if (filter.sessionId !== undefined) query = query.where("sessionId", "=", filter.sessionId);
  if (filter.sessionIds === null) query = query.where("sessionId", "is", null);
  else if (filter.sessionIds !== undefined) query = query.where("sessionId", "in", filter.sessionIds);
  if (filter.taskId !== undefined) query = query.where("taskId", "=", filter.taskId);
  return (await db.all(query)).map(claimOf);
}

/** Claims that nobody has ended, leases that have run out among them, from a place on. */
export async function listOpenClaims(db: Db, page: { after: string; limit: number }): Promise<CodeClaim[]> {
  const rows = await db.all(
    db.q
      .selectFrom("codeClaim")
      .selectAll()
      .where("endedAt", "is", null)
      .where((of) => of(of.ref("id").$castTo<string>(), ">", page.after))
      .orderBy("id")
      .limit(page.limit),
  );
  return rows.map(claimOf);
}

/** The highest fence that was ever given out in a repository, by claims that are over too. */
export async function highestFence(db: Db, repo: string): Promise<number> {
  const row = await db.first(highestOf(db.q, repo));
  return Number(row?.fence ?? 0);
}

const highestOf = prepare((q, repo: string) =>
  q
    .selectFrom("codeClaim")
    .select((of) => of.fn.max("fence").as("fence"))
    .where("repo", "=", repo),
);

const claimOf = (row: CodeClaimRow): CodeClaim => ({
  ...row,
  paths: JSON.parse(row.paths) as string[],
  symbols: JSON.parse(row.symbols) as string[],
  isExclusive: row.isExclusive === 1,
});
