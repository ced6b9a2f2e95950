import type { AgentId, ClaimId, DeveloperId, TaskId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import type { Outlook } from "../forecast/operations.ts";
import { leaveNotice } from "../message/notice-operations.ts";
import { settleConflicts, tellOfConflict } from "../message/peer-operations.ts";
import { getTaskToWrite } from "../task/operations.ts";
import type { SystemWork, Work } from "../work.ts";
import { claimEvent } from "./events.ts";
import { isClearOf } from "./forecast-operations.ts";
import { findLost } from "./lost-operations.ts";
import type { Area, CodeClaim, EndReason, Holder, Meeting } from "./model.ts";
import { findClaim, highestFence, listLiveClaims, listOpenClaims } from "./queries.ts";
import {
  checkRenewable,
  checkRoom,
  findMeetings,
  isGranted,
  isLive,
  isSameHolder,
  leaseEnd,
  listClashes,
  listFilesIn,
  mayRelease,
  mostClaimsInRepo,
  tidyArea,
  unknownClaim,
} from "./rules.ts";
import { guardClaims, insertClaim, saveClaim, shortenLeases } from "./store.ts";

export { listFilesIn };

interface ClaimAsk {
  readonly area: Area;
  readonly isExclusive: boolean;
  readonly ttlMinutes: number;
  readonly taskId: TaskId | null;
  readonly sessionId: AgentId | undefined;
  /** A look at everybody's work, where the team goes by that. */
  readonly outlook?: Outlook | undefined;
}

interface ClaimOutcome {
  /** Null where somebody else holds what was wanted alone. */
  readonly claim: CodeClaim | null;
  readonly meetings: readonly Meeting[];
  /** Wanted alone and given to share, because nobody's work collides. */
  readonly isSharedInstead: boolean;
}

/** Takes code in hand for a while. Whoever is met is told, unless both are content to share. */
export async function takeClaim(work: Work, wish: ClaimAsk): Promise<ClaimOutcome> {
  const session = await useNamedSession(work, wish.sessionId);
  const area = tidyArea(wish.area);
  if (wish.taskId !== null) await checkTask(work, wish.taskId);
  await guardClaims(work.db, area.repo);
  const holder = { developerId: work.caller.developerId, sessionId: session?.id ?? null };
  const live = await listLiveClaims(work.db, { liveAt: work.now, repo: area.repo, limit: mostClaimsInRepo });
  checkRoom({ own: live.filter((one) => one.developerId === holder.developerId).length, inRepo: live.length });
  const meetings = await dropLost(
    work,
    findMeetings(
      area,
      live.filter((one) => !isSameHolder(one, holder)),
    ),
  );
  const isSharedInstead = !isGranted(wish, meetings) && (await isClear(work, wish, { holder, meetings }));
  const ask = { isExclusive: wish.isExclusive && !isSharedInstead };
  const isRefused = !isGranted(ask, meetings);
  for (const { held, paths, symbols } of listClashes(ask, meetings)) {
    const wanted = {
      repo: area.repo,
      branch: area.branch,
      paths,
      symbols,
      isRefused,
      wantedFor: wish.taskId ?? undefined,
    };
    await tellOfConflict(work, { sessionId: holder.sessionId, claim: held, wanted });
  }
  if (isRefused) return { claim: null, meetings, isSharedInstead };
  const claim: CodeClaim = {
    ...area,
    ...holder,
    id: work.newId("claim"),
    taskId: wish.taskId,
    isExclusive: ask.isExclusive,
    fence: (await highestFence(work.db, area.repo)) + 1,
    ttlMinutes: wish.ttlMinutes,
    expiresAt: leaseEnd(work.now, wish.ttlMinutes),
    endedAt: null,
    endReason: null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertClaim(work.db, claim);
  work.record(
    claimEvent.taken(claim.id, {
      ...takenData(claim, meetings),
      ...(isSharedInstead ? { reason: "no_collision" } : {}),
    }),
  );
  return { claim, meetings, isSharedInstead };
}

const isClear = async (
  { db }: Work,
  { outlook }: ClaimAsk,
  { holder, meetings }: { readonly holder: Holder; readonly meetings: readonly Meeting[] },
): Promise<boolean> =>
  outlook !== undefined && (await isClearOf(db, { sessionId: holder.sessionId, meetings, outlook }));

async function checkTask(work: Work, id: TaskId): Promise<void> {
  const task = await getTaskToWrite(work, id);
  if (task.endedAt === null) return;
  throw new Refusal("INVALID_STATE", `Task ${id} has ended.`, "Claim without it, or for a task that is open.");
}

/** Whose session or task is over holds nothing, although nobody has said so yet. */
async function dropLost(work: SystemWork, meetings: readonly Meeting[]): Promise<Meeting[]> {
  const lost = await findLost(
    work,
    meetings.map(({ held }) => held),
  );
  for (const [claim, reason] of lost) await endClaim(work, claim, reason);
  return meetings.filter(({ held }) => !lost.has(held));
}

/** A claim of the caller's own with a lease that begins anew; over once it has run out. */
export async function renewClaim(
  work: Work,
  { id, sessionId }: { id: ClaimId; sessionId: AgentId | undefined },
): Promise<CodeClaim> {
  await useNamedSession(work, sessionId);
  const claim = await getOwnClaim(work, id);
  // Decided like a new claim: nobody takes it in the very moment in which it is renewed.
  await guardClaims(work.db, claim.repo);
  checkRenewable(claim, work.now);
  const lost = (await findLost(work, [claim])).get(claim);
  if (lost !== undefined) checkRenewable({ ...claim, endedAt: work.now, endReason: lost }, work.now);
  const expiresAt = leaseEnd(work.now, claim.ttlMinutes);
  const renewed = await saveClaim(work.db, claim, { expiresAt, updatedAt: work.now });
  work.record(claimEvent.renewed(id, { ...whereOf(renewed), expires_at: new Date(expiresAt).toISOString() }));
  return renewed;
}

/** Gives one claim back, or all that the caller holds, or all of one session. What is over already is left alone. */
export async function releaseClaims(
  work: Work,
  ask: { id: ClaimId | undefined; sessionId: AgentId | undefined },
): Promise<CodeClaim[]> {
  await useNamedSession(work, ask.sessionId);
  const own = ask.id === undefined ? await listOwn(work, ask.sessionId) : [await getOwnClaim(work, ask.id)];
  const live = own.filter((claim) => isLive(claim, work.now));
  for (const claim of live) await endClaim(work, claim, "released");
  return live;
}

/** Ends a claim for its holder: their developer may, and the owner of the team. The agent that held it is told. */
export async function releaseClaimOf(work: Work, ask: { id: ClaimId; reason: string | null }): Promise<CodeClaim> {
  const claim = await findClaim(work.db, ask.id);
  if (claim === undefined) throw unknownClaim();
  if (!mayRelease(claim, work.caller)) {
    throw new Refusal("FORBIDDEN", "The claim is another developer's.", "Ask the holder, or the owner of the team.");
  }
  if (!isLive(claim, work.now)) throw new Refusal("INVALID_STATE", "The claim is over already.", "Claim the code now.");
  await endClaim(work, claim, "released");
  const did = `released your claim on ${[...claim.paths, ...claim.symbols].slice(0, mostNamed).join(", ")}`;
  const { developerId, sessionId: agentId, id: about } = claim;
  await leaveNotice(work, { developerId, agentId, about, did, words: ask.reason });
  return claim;
}

const listOwn = (work: Work, sessionId: AgentId | undefined): Promise<CodeClaim[]> =>
  listLiveClaims(work.db, {
    liveAt: work.now,
    developerId: work.caller.developerId,
    sessionId,
    limit: mostClaimsInRepo,
  });

async function getOwnClaim(work: Work, id: ClaimId): Promise<CodeClaim> {
  const claim = await findClaim(work.db, id);
  if (claim?.developerId === work.caller.developerId) return claim;
  throw unknownClaim();
}

/** Who holds what of an area right now, the caller's own session apart. */
export async function findConflicts(
  work: Work,
  ask: { area: Area; sessionId: AgentId | null },
): Promise<readonly Meeting[]> {
  const area = tidyArea(ask.area);
  return withoutLost(work, findMeetings(area, await listForeign(work, { repo: area.repo, sessionId: ask.sessionId })));
}

/** The same for files by their very names, on whichever branch. */
export async function findHolders(
  work: Work,
  ask: { repo: string; files: readonly string[]; sessionId: AgentId | null },
): Promise<readonly Meeting[]> {
  const meetings = (await listForeign(work, ask))
    .map((held) => ({ held, paths: listFilesIn(held, ask.files), symbols: [] }))
    .filter(({ paths }) => paths.length > 0);
  return withoutLost(work, meetings);
}

async function listForeign(work: Work, ask: { repo: string; sessionId: AgentId | null }): Promise<CodeClaim[]> {
  const holder = { developerId: work.caller.developerId, sessionId: ask.sessionId };
  const live = await listLiveClaims(work.db, { liveAt: work.now, repo: ask.repo, limit: mostClaimsInRepo });
  return live.filter((claim) => !isSameHolder(claim, holder));
}

async function withoutLost(work: Pick<SystemWork, "db" | "now">, meetings: readonly Meeting[]): Promise<Meeting[]> {
  const lost = await findLost(
    work,
    meetings.map(({ held }) => held),
  );
  return meetings.filter(({ held }) => !lost.has(held));
}

/** Whether nobody holds anything of an area at this moment. */
export async function isFree(work: Pick<SystemWork, "db" | "now">, area: Area): Promise<boolean> {
  const live = await listLiveClaims(work.db, { liveAt: work.now, repo: area.repo, limit: mostClaimsInRepo });
  return (await withoutLost(work, findMeetings(area, live))).length === 0;
}

/** Gives the live claims of a task to another developer: with new fences, and leases that begin anew. */
export async function moveClaims(
  work: Work,
  ask: { taskId: TaskId; from: DeveloperId; to: DeveloperId; sessionId: AgentId | null },
): Promise<CodeClaim[]> {
  const { taskId, from: developerId } = ask;
  const live = await listLiveClaims(work.db, { liveAt: work.now, taskId, developerId, limit: mostClaimsInRepo });
  for (const repo of [...new Set(live.map((claim) => claim.repo))].sort()) await guardClaims(work.db, repo);
  const moved: CodeClaim[] = [];
  for (const claim of live) {
    const one = await saveClaim(work.db, claim, {
      developerId: ask.to,
      sessionId: ask.sessionId,
      fence: (await highestFence(work.db, claim.repo)) + 1,
      expiresAt: leaseEnd(work.now, claim.ttlMinutes),
      updatedAt: work.now,
    });
    const expires_at = new Date(one.expiresAt).toISOString();
    work.record(claimEvent.moved(one.id, { ...whereOf(one), developer_id: ask.to, expires_at }));
    moved.push(one);
  }
  return moved;
}

/** Ends what is held for a task, because the task has ended. Answers how many claims that were. */
export async function releaseClaimsOfTask(work: SystemWork, taskId: TaskId): Promise<number> {
  return endAll(
    work,
    await listLiveClaims(work.db, { liveAt: work.now, taskId, limit: mostClaimsInRepo }),
    "task_over",
  );
}

/** The same for a session that is over, or whose agent is gone. */
export async function releaseClaimsOfSession(work: SystemWork, sessionId: AgentId, reason: EndReason): Promise<number> {
  const live = await listLiveClaims(work.db, { liveAt: work.now, sessionId, limit: mostClaimsInRepo });
  return endAll(work, live, reason);
}

async function endAll(work: SystemWork, claims: readonly CodeClaim[], reason: EndReason): Promise<number> {
  for (const claim of claims) await endClaim(work, claim, reason);
  return claims.length;
}

/**
 * Ends a page of the claims that nobody holds any more: leases that ran out, sessions and tasks that are over. Answers
 * from where to go on, or undefined at the end.
 */
export async function sweepClaims(
  work: SystemWork,
  page: { after: string; limit: number },
): Promise<string | undefined> {
  const open = await listOpenClaims(work.db, page);
  const expired = open.filter((claim) => !isLive(claim, work.now));
  for (const claim of expired) await endClaim(work, claim, "expired");
  const lost = await findLost(
    work,
    open.filter((claim) => isLive(claim, work.now)),
  );
  for (const [claim, reason] of lost) await endClaim(work, claim, reason);
  return open.length === page.limit ? open.at(-1)?.id : undefined;
}

async function endClaim(work: SystemWork, claim: CodeClaim, reason: EndReason): Promise<void> {
  await saveClaim(work.db, claim, { endedAt: work.now, endReason: reason, updatedAt: work.now });
  const channels = claim.sessionId === null ? [] : [`agent:${claim.sessionId}`];
  work.record(claimEvent.released(claim.id, { ...whereOf(claim), developer_id: claim.developerId, reason }, channels));
  await settleConflicts(work, claim);
}

const whereOf = ({ repo, branch, fence, taskId }: CodeClaim) => ({ repo, branch, fence, task_id: taskId });

const mostNamed = 20;

const takenData = (claim: CodeClaim, meetings: readonly Meeting[]) => ({
  ...whereOf(claim),
  paths: claim.paths.slice(0, mostNamed),
  symbols: claim.symbols.slice(0, mostNamed),
  exclusive: claim.isExclusive,
  expires_at: new Date(claim.expiresAt).toISOString(),
  conflicts: meetings.length,
});

/** No lease outlives what it was given for, whatever the clock said then. */
export const settleLeases = (work: SystemWork): Promise<void> => shortenLeases(work.db, work.now);
