import { type AgentId, type DeveloperId, isIdOf } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { mostCollisionsAtOnce, mostNoticesAtOnce, type Notice } from "./notice-model.ts";

/** Developers for whose agents something waits. */
export async function listNotified(db: Db, since: number): Promise<DeveloperId[]> {
  const query = db.q.selectFrom("notice").select("developerId").distinct();
  const rows = await db.all(
    query
      .where("deliveredAt", "is", null)
      .where((of) => of.or([of("createdAt", ">", since), of("about", "like", collisions)])),
  );
  return rows.map(({ developerId }) => developerId);
}

/** What waits for these agents of a developer, oldest first, and whether anything waits for another of theirs. */
export async function listWaitingNotices(
  db: Db,
  ask: { readonly developerId: DeveloperId; readonly agentIds: readonly AgentId[]; readonly since: number },
): Promise<{ readonly notices: Notice[]; readonly isAll: boolean }> {
  const rows = await db.all(
    db.q
      .selectFrom("notice")
      .selectAll()
      .where("developerId", "=", ask.developerId)
      .where("deliveredAt", "is", null)
      .where((of) => of.or([of("createdAt", ">", ask.since), of("about", "like", collisions)]))
      .orderBy("createdAt")
      .orderBy("id")
      .limit(mostLookedAt),
  );
  const own = new Set<AgentId | null>([null, ...ask.agentIds]);
  const forThem = rows.filter(({ agentId }) => own.has(agentId));
  const told = forThem.filter(({ about }) => isCollision(about)).slice(0, mostCollisionsAtOnce);
  const notices = forThem.filter((one) => !isCollision(one.about) || told.includes(one)).slice(0, mostNoticesAtOnce);
  return { notices, isAll: notices.length === rows.length };
}

/** The latest word that was left about a record, with whether and how its agent got it. */
export async function findNotice(
  db: Db,
  ask: { readonly developerId: DeveloperId; readonly about: string; readonly agentId?: AgentId },
): Promise<(Notice & { readonly deliveredAt: number | null; readonly isHeard: boolean }) | undefined> {
  let query = db.q
    .selectFrom("notice")
    .selectAll()
    .where("developerId", "=", ask.developerId)
    .where("about", "=", ask.about)
    .orderBy("createdAt", "desc")
    .limit(1);
  if (ask.agentId !== undefined) query = query.where("agentId", "=", ask.agentId);
  const row = await db.first(query);
  return row && { ...row, isHeard: row.isHeard === 1 };
}

/** Word about commits that these agents were left, delivered or not. */
export async function listCommitNotices(
  db: Db,
  agentIds: readonly AgentId[],
): Promise<(Notice & { readonly deliveredAt: number | null })[]> {
  if (agentIds.length === 0) return [];
  const query = db.q.selectFrom("notice").selectAll().where("agentId", "in", agentIds);
  return db.all(query.where("about", "like", "commit_%"));
}

/** What is old is no news, but for a collision: word of one that is over has been taken back. */
const collisions = "col_%";

const mostLookedAt = 200;
const isCollision = isIdOf("collision");
