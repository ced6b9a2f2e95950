import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { listSessionPage, type NamedSession, type SessionPage } from "../agent/session-queries.ts";
import type { CodeClaim } from "../claim/model.ts";
import { listLiveClaims } from "../claim/queries.ts";
import type { SharedContext } from "../exchange/model.ts";
import { listActiveContexts } from "../exchange/queries.ts";
import type { Sum } from "../usage/summary-model.ts";
import { summariseSessions } from "../usage/summary-operations.ts";

/** A session with all that it has in hand and has used. */
export interface SessionDesk {
  readonly session: NamedSession;
  readonly use: Sum | undefined;
  readonly claims: readonly CodeClaim[];
  readonly contexts: readonly SharedContext[];
}

interface SessionDesks {
  readonly desks: readonly SessionDesk[];
  /** Claims that were taken without a session. */
  readonly looseClaims: readonly CodeClaim[];
  readonly hasMore: boolean;
}

/** What is shown beside a page of sessions; beyond it nobody reads. */
const mostClaims = 500;
const mostContexts = 200;
const mostLoose = 50;

/** A page of sessions, each of its four questions asked once for the whole page. */
export async function listDesks(db: Db, page: SessionPage & { now: number }): Promise<SessionDesks> {
  const found = await listSessionPage(db, { ...page, limit: page.limit + 1 });
  return {
    desks: await gatherDesks(db, found.slice(0, page.limit), page.now),
    looseClaims: await listLoose(db, page),
    hasMore: found.length > page.limit,
  };
}

/** What each of these sessions has in hand and has used. */
export async function gatherDesks(db: Db, sessions: readonly NamedSession[], now: number): Promise<SessionDesk[]> {
  if (sessions.length === 0) return [];
  const sessionIds = sessions.map(({ id }) => id);
  const use = await summariseSessions(db, sessionIds, now);
  const claims = await listLiveClaims(db, { liveAt: now, sessionIds, limit: mostClaims });
  const contexts = await listActiveContexts(db, { sessionIds, now, limit: mostContexts });
  return sessions.map((session) => ({
    session,
    use: use.get(session.id),
    claims: claims.filter(({ sessionId }) => sessionId === session.id),
    contexts: contexts.filter(({ sessionId }) => sessionId === session.id),
  }));
}

/** They belong to no session, so they come with the first page of those that go on. */
async function listLoose(db: Db, page: SessionPage & { now: number }): Promise<CodeClaim[]> {
  if (page.hasEnded || page.offset > 0 || page.id !== undefined) return [];
  const developerId: DeveloperId | undefined = page.developerId;
  return listLiveClaims(db, { liveAt: page.now, sessionIds: null, developerId, repo: page.repo, limit: mostLoose });
}
