import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Matter } from "./matter-model.ts";

export interface MatterAsk {
  /** Whose; left out, everybody's. */
  readonly developerId?: DeveloperId | undefined;
  readonly now: number;
  readonly limit: number;
}

/** Checks that found the same work and that no start has used yet: somebody has to judge or to confirm. */
export async function listWaitingChecks(db: Db, { developerId, now, limit }: MatterAsk): Promise<Matter[]> {
  let query = db.q
    .selectFrom("scopeCheck")
    .select(["id", "title", "developerId", "createdAt"])
    .where("expiresAt", ">", now)
    .where("requiresVerdict", "=", 1)
    .where("consumedAt", "is", null)
    .orderBy("expiresAt")
    .limit(limit);
  if (developerId !== undefined) query = query.where("developerId", "=", developerId);
  return (await db.all(query)).map((row) => ({
    kind: "blocked_start",
    id: row.id,
    title: row.title,
    developerId: row.developerId as DeveloperId,
    from: null,
    since: row.createdAt,
  }));
}

/** Questions and handoffs that nobody has answered yet, the longest waiting first. */
export async function listOpenLetters(
  db: Db,
  kind: "ask" | "handoff",
  { developerId, now, limit }: MatterAsk,
): Promise<Matter[]> {
  let query = db.q
    .selectFrom("message")
    .select(["id", "subject", "toDeveloperId", "fromDeveloperId", "createdAt"])
    .where("messageType", "=", kind)
    .where("toDeveloperId", "is not", null)
    .where("status", "<>", "archived")
    .where((or) => or.or([or("expiresAt", "is", null), or("expiresAt", ">", now)]))
    .orderBy("createdAt")
    .limit(limit);
  if (developerId !== undefined) query = query.where("toDeveloperId", "=", developerId);
  return (await db.all(query)).map((row) => ({
    kind,
    id: row.id,
    title: row.subject,
    developerId: row.toDeveloperId as DeveloperId,
    from: row.fromDeveloperId as DeveloperId | null,
    since: row.createdAt,
  }));
}

/** Limits of money that were passed. */
export async function listPassedBudgets(db: Db, { developerId, limit }: MatterAsk): Promise<Matter[]> {
  let query = db.q
    .selectFrom("budget")
    .select(["subjectId", "passedBy", "passedAt"])
    .where("passedBy", "is not", null)
    .where("passedAt", "is not", null)
    .orderBy("passedAt", "desc")
    .limit(limit);
  if (developerId !== undefined) query = query.where("passedBy", "=", developerId);
  return (await db.all(query)).map((row) => ({
    kind: "budget",
    id: row.subjectId,
    title: null,
    developerId: row.passedBy as DeveloperId,
    from: null,
    since: row.passedAt ?? 0,
  }));
}
