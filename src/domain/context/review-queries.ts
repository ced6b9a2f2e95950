import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { failedAgentMs, type Matter } from "./matter-model.ts";
import type { MatterAsk } from "./matter-queries.ts";

const live = ["started", "waiting_review", "pr_created"] as const;

/** Agents that we started and that wait for a person, are silent, or ended without having worked (IN19–IN22). */
export async function listTroubledAgents(db: Db, { developerId, now, limit }: MatterAsk): Promise<Matter[]> {
  let query = db.q
    .selectFrom("instance")
    .select(["id", "developerId", "status", "run"])
    .where("origin", "=", "launched")
    .where((of) => of.or([of("status", "in", live), of("terminatedAt", ">", now - failedAgentMs)]))
    .orderBy("createdAt", "desc")
    .limit(mostLookedAt);
  if (developerId !== undefined) query = query.where("developerId", "=", developerId);
  const found = (await db.all(query)).flatMap(({ id, developerId, status, run }): Matter[] => {
    const attention = run === null ? null : ((JSON.parse(run) as Troubled).attention ?? null);
    if (attention === null) return [];
    const kind = live.some((one) => one === status) ? "agent_waiting" : "agent_failed";
    return [{ kind, id, title: attention.reason, developerId, from: null, since: attention.since }];
  });
  return found.slice(0, limit);
}

/** As much of a run as is looked at here. */
interface Troubled {
  readonly attention?: { readonly reason: string; readonly since: number } | null;
}

const mostLookedAt = 500;

/** Coders that have had all their rounds and were sent back once more: a person allows another, or ends it. */
export async function listReviewLimits(db: Db, { developerId, limit }: MatterAsk): Promise<Matter[]> {
  let query = db.q
    .selectFrom("instance")
    .innerJoin("review", "review.coderId", "instance.id")
    .select(["instance.id", "instance.developerId", "review.endedAt"])
    .where("instance.status", "=", "started")
    .where("review.outcome", "!=", "live")
    .where("review.endedAt", "is not", null)
    .whereRef("review.round", "=", "instance.reviewIteration")
    .where((of) => of("review.round", ">=", of("review.maxIterations", "+", of.ref("instance.grantedRounds"))))
    .$narrowType<{ endedAt: number }>()
    .orderBy("instance.createdAt")
    .limit(limit);
  if (developerId !== undefined) query = query.where("instance.developerId", "=", developerId);
  return (await db.all(query)).map(({ id, developerId, endedAt }) =>
    matterOf("review_limit", id, { developerId, since: endedAt }),
  );
}

/** Pull requests of our own that wait for a decision. */
export async function listOpenPulls(db: Db, { developerId, limit }: MatterAsk): Promise<Matter[]> {
  let query = db.q
    .selectFrom("pull")
    .select(["number", "title", "developerId", "updatedAt"])
    .where("host", "=", "local")
    .where("status", "=", "open")
    .where("isSentBack", "=", 0)
    .where("number", "is not", null)
    .orderBy("updatedAt")
    .limit(limit);
  if (developerId !== undefined) query = query.where("developerId", "=", developerId);
  return (await db.all(query)).map(({ number, title, developerId, updatedAt }) => ({
    ...matterOf("pull_request", String(number), { developerId, since: updatedAt }),
    title,
  }));
}

const matterOf = (
  kind: Matter["kind"],
  id: string,
  { developerId, since }: { readonly developerId: DeveloperId; readonly since: number },
): Matter => ({ kind, id, title: null, developerId, from: null, since });
