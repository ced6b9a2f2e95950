import type { ClaimId, DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { ReceiptLevel } from "../result.ts";
import type { Matter } from "./matter-model.ts";

export interface MatterAsk {
  /** Whose; left out, everybody's. */
  readonly developerId?: DeveloperId | undefined;
  readonly now: number;
  readonly limit: number;
}

/** Checks live for minutes, so there are never more of them at once; whose they are is looked at afterwards. */
const mostChecks = 500;

/** Checks that found the same work, that nobody has confirmed and no start has used yet. */
export async function listWaitingScopeChecks(db: Db, { developerId, now, limit }: MatterAsk): Promise<Matter[]> {
  const rows = await db.all(
    db.q
      .selectFrom("scopeCheck")
      .leftJoin("warning", "warning.id", "scopeCheck.warningId")
      // A check keeps its title as it is compared, without capitals; its warning as it was said.
      .select(["scopeCheck.id", "scopeCheck.title", "warning.title as said"])
      .select(["scopeCheck.developerId", "scopeCheck.sessionId", "scopeCheck.createdAt"])
      .where("scopeCheck.expiresAt", ">", now)
      .where("scopeCheck.requiresVerdict", "=", 1)
      .where("scopeCheck.consumedAt", "is", null)
      .where("scopeCheck.confirmation", "is", null)
      .orderBy("scopeCheck.expiresAt")
      .limit(mostChecks),
  );
  const wanted = rows.filter((row) => developerId === undefined || row.developerId === developerId);
  return wanted.slice(0, limit).map((row) => ({
    kind: "blocked_start",
    id: row.id,
    title: row.said ?? row.title,
    developerId: row.developerId,
    from: null,
    agentId: row.sessionId,
    since: row.createdAt,
  }));
}

/** When a developer last got a claim on code that they still hold; then what was refused before is settled. */
export async function findLastClaim(db: Db, developerId: DeveloperId): Promise<number> {
  const row = await db.first(
    db.q
      .selectFrom("codeClaim")
      .select((of) => of.fn.max<number | null>("createdAt").as("at"))
      .where("developerId", "=", developerId)
      .where("endedAt", "is", null),
  );
  return row?.at ?? 0;
}

/** Whether one of these claims stands still. */
export async function isAnyHeld(db: Db, claims: readonly ClaimId[], now: number): Promise<boolean> {
  if (claims.length === 0) return false;
  const row = await db.first(
    db.q
      .selectFrom("codeClaim")
      .select("id")
      .where("id", "in", claims)
      .where("endedAt", "is", null)
      .where("expiresAt", ">", now)
      .limit(1),
  );
  return row !== undefined;
}

/** Limits of money that were passed. */
export async function listPassedBudgets(db: Db, { developerId, limit }: MatterAsk): Promise<Matter[]> {
  let query = db.q
    .selectFrom("budget")
    .select(["subjectId", "passedBy", "passedAt"])
    .where((of) => of(of.ref("passedBy").$castTo<string | null>(), ">", ""))
    .where("passedAt", "is not", null)
    .$narrowType<{ passedBy: DeveloperId; passedAt: number }>()
    .limit(limit);
  if (developerId !== undefined) query = query.where("passedBy", "=", developerId);
  return (await db.all(query)).map((row) => ({
    kind: "budget",
    id: row.subjectId,
    title: null,
    developerId: row.passedBy,
    from: null,
    since: row.passedAt,
  }));
}

/** Tasks that are done although files outside their scope changed or checks did not pass, until a person accepts it. */
export async function listDoubtfulResults(db: Db, { developerId, limit }: MatterAsk): Promise<Matter[]> {
  let query = db.q
    .selectFrom("evidence")
    // Told so, SQLite begins with the few doubtful results and not with all that is done.
    .crossJoin("task")
    .whereRef("task.id", "=", "evidence.taskId")
    .select(["task.id", "task.name", "task.developerId"])
    .select(["evidence.level", "evidence.outOfScope", "evidence.failedChecks", "evidence.doubtfulSince"])
    .where("evidence.doubtfulSince", "is not", null)
    .where("task.status", "=", "done")
    .$narrowType<{ level: ReceiptLevel; doubtfulSince: number }>()
    .orderBy("evidence.doubtfulSince")
    .limit(limit);
  if (developerId !== undefined) query = query.where("task.developerId", "=", developerId);
  return (await db.all(query)).map(({ id, name, developerId, doubtfulSince, ...result }) => ({
    kind: "doubtful_result",
    id,
    title: name,
    developerId,
    from: null,
    since: doubtfulSince,
    result,
  }));
}
