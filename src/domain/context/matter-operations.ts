import type { ClaimId, DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { listAgentsById } from "../agent/queries.ts";
import { sessionStaleAfterMs } from "../agent/session-model.ts";
import { listLastingConflicts } from "../forecast/queries.ts";
import { listFeedback } from "../ledger/feedback-queries.ts";
import { wantedSubject } from "../message/peer-model.ts";
import { listPeerMessages } from "../message/peer-queries.ts";
import { listDevelopers } from "../person/queries.ts";
import {
  lastingConflictMs,
  type Matter,
  type MatterKind,
  matterKinds,
  refusedClaimMs,
  staleTaskMs,
} from "./matter-model.ts";
import {
  findLastClaim,
  isAnyHeld,
  listDoubtfulResults,
  listPassedBudgets,
  listWaitingScopeChecks,
  type MatterAsk,
} from "./matter-queries.ts";
import { listOpenPulls, listReviewLimits, listTroubledAgents } from "./review-queries.ts";
import type { TeamWork } from "./team-model.ts";
import { listOpenNeeds, listTeamSessions } from "./team-notice-queries.ts";
import { listTeamTasks } from "./team-work-queries.ts";

/** What waits for one developer, or for anyone: most urgent kind first, then what has waited longest. */
export async function listMatters(db: Db, ask: MatterAsk): Promise<Matter[]> {
  const found = [
    ...(await listWaitingScopeChecks(db, ask)),
    ...(await listLetters(db, "ask", ask)),
    ...(await listLetters(db, "handoff", ask)),
    ...(await listIssues(db, ask)),
    ...(await listTroubledAgents(db, ask)),
    ...(await listReviewLimits(db, ask)),
    ...(await listOpenPulls(db, ask)),
    ...(await listLasting(db, ask)),
    ...(await listTroubledTasks(db, ask)),
    ...(await listDoubtfulResults(db, ask)),
    ...(await listStaleSessions(db, ask)),
    ...(await listRefusedClaims(db, ask)),
    ...(await listPassedBudgets(db, ask)),
  ];
  return found.sort(byUrgency).slice(0, ask.limit);
}

const byUrgency = (one: Matter, other: Matter): number =>
  urgencyOf(one.kind) - urgencyOf(other.kind) || one.since - other.since || (one.id < other.id ? -1 : 1);

const urgencyOf = (kind: MatterKind): number => matterKinds.indexOf(kind);

/** Questions and handoffs that nobody has answered yet. */
async function listLetters(db: Db, kind: "ask" | "handoff", { developerId, limit }: MatterAsk): Promise<Matter[]> {
  const letters = await listPeerMessages(db, { type: kind, to: developerId, isOpen: true, limit });
  return letters.flatMap(({ id, body, toDeveloperId, fromDeveloperId, senderId, createdAt }) =>
    toDeveloperId === null
      ? []
      : [
          {
            kind,
            id,
            title: body.slice(0, mostWords),
            developerId: toDeveloperId,
            from: fromDeveloperId,
            agentId: senderId,
            since: createdAt,
          },
        ],
  );
}

/** Enough to know what it is about. */
const mostWords = 200;

async function listIssues(db: Db, { developerId, limit }: MatterAsk): Promise<Matter[]> {
  const notes = await listOpenNeeds(db, { developerId, limit });
  return notes.map((note) => ({
    kind: "issue",
    id: note.id,
    title: note.text.slice(0, mostWords),
    developerId: note.developerId,
    from: null,
    since: note.createdAt,
  }));
}

/** Conflicts that the agents who were told of them have left as they are. */
async function listLasting(db: Db, { developerId, now, limit }: MatterAsk): Promise<Matter[]> {
  const lasting = await listLastingConflicts(db, { since: now - lastingConflictMs, limit: mostConflicts });
  const agents = await listAgentsById(
    db,
    lasting.flatMap(({ told }) => told.map(({ agentId }) => agentId)),
  );
  const matters = lasting.flatMap(({ id, told, places, since }): Matter[] => {
    const owners = [...new Set(told.flatMap(({ agentId }) => agents.get(agentId)?.developerId ?? []))];
    return owners.map((owner) => ({
      kind: "collision",
      id,
      title: places[0]?.path ?? null,
      developerId: owner,
      from: owners.find((other) => other !== owner) ?? null,
      since,
    }));
  });
  return matters.filter((one) => developerId === undefined || one.developerId === developerId).slice(0, limit);
}

const mostConflicts = 200;

async function listTroubledTasks(db: Db, { developerId, now, limit }: MatterAsk): Promise<Matter[]> {
  const read = async (kind: MatterKind, statuses: readonly TeamWork["status"][], before?: number) => {
    const { items } = await listTeamTasks(db, { statuses, before, developerId, limit });
    return items.map((task): Matter => {
      const { id, title, developerId, sessionId: agentId, updatedAt: since } = task;
      return { kind, id, title, developerId, from: null, agentId, since };
    });
  };
  return [
    ...(await read("failed_task", ["failed"])),
    ...(await read("blocked_task", ["blocked"])),
    ...(await read("stale_task", ["active", "preparing"], now - staleTaskMs)),
  ];
}

async function listStaleSessions(db: Db, { developerId, now, limit }: MatterAsk): Promise<Matter[]> {
  const { items } = await listTeamSessions(db, { developerId, seenBefore: now - sessionStaleAfterMs, limit });
  return items.map((session) => ({
    kind: "stale_session",
    id: session.id,
    title: session.name,
    developerId: session.developerId,
    from: null,
    agentId: session.id,
    since: session.lastSeenAt,
  }));
}

/** The last word on what each task or session was kept from, until its developer gets a claim or nothing is in the way. */
async function listRefusedClaims(db: Db, { developerId, now, limit }: MatterAsk): Promise<Matter[]> {
  const whose: DeveloperId[] =
    developerId === undefined ? (await listDevelopers(db)).map(({ id }) => id).slice(0, limit) : [developerId];
  const found = new Map<string, Matter>();
  for (const id of whose) {
    const since = Math.max(now - refusedClaimMs, (await findLastClaim(db, id)) + 1);
    const told = await listFeedback(db, { developerId: id, code: "CLAIM_CONFLICT", since, limit });
    if (told.length === 0) continue;
    const met = await listMetClaims(db, id);
    for (const { subject, at } of told) {
      if (found.has(subject) || !(await isAnyHeld(db, met.get(subject) ?? [], now))) continue;
      found.set(subject, {
        kind: "refused_claim",
        id: subject,
        title: null,
        developerId: id,
        from: null,
        since: at,
      });
    }
  }
  return [...found.values()];
}

/** The claims whose holders were told that this developer wanted the same code, by what it was wanted for. */
async function listMetClaims(db: Db, developerId: DeveloperId): Promise<ReadonlyMap<string, readonly ClaimId[]>> {
  const told = await listPeerMessages(db, { type: "conflict", from: developerId, limit: mostMet });
  const met = new Map<string, ClaimId[]>();
  for (const message of told) {
    const { claimId } = message.detail;
    const subject = wantedSubject(message);
    if (claimId !== undefined) met.set(subject, [...(met.get(subject) ?? []), claimId]);
  }
  return met;
}

const mostMet = 100;
