import type { AgentId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { listSessionsById } from "../agent/session-queries.ts";
import type { Outlook } from "../forecast/operations.ts";
import type { Look } from "../port.ts";
import { locateRepository } from "../project/locate-operations.ts";
import { isRepositoryNamed } from "../project/model.ts";
import type { Area, Meeting } from "./model.ts";
import { listLiveClaims } from "./queries.ts";
import { findMeetings, isKeptApart, mostClaimsInRepo, tidyArea } from "./rules.ts";

interface Wanted {
  readonly area: Area;
  readonly isExclusive: boolean;
  readonly sessionId: AgentId | undefined;
}

/**
 * How the work of a session that wants code for itself goes together with everybody's: looked at before the claim is
 * decided, and only where the team wants that and somebody holds some of it. Undefined where it cannot be told.
 */
export async function lookBeforeClaim(look: Look, ask: Wanted): Promise<Outlook | undefined> {
  const { forecast } = look.ports;
  const { sessionId } = ask;
  if (!forecast.judgesClaims || !ask.isExclusive || sessionId === undefined) return undefined;
  const folder = await look.read(async (db) => {
    const { repo } = ask.area;
    const live = await listLiveClaims(db, { liveAt: look.now, repo, limit: mostClaimsInRepo });
    const others = live.filter((claim) => claim.sessionId !== sessionId);
    const meetings = findMeetings(tidyArea(ask.area), others);
    if (meetings.length === 0) return null;
    // One that says only its branch is found among the worktrees of those it meets.
    const ids = [sessionId, ...meetings.flatMap(({ held }) => held.sessionId ?? [])];
    const sessions = await listSessionsById(db, ids);
    return ids.map((id) => sessions.get(id)?.worktree).find((worktree) => worktree) ?? null;
  });
  if (folder === null) return undefined;
  try {
    const { root } = await locateRepository(look, folder);
    return await forecast.look({ folder: root }, look.signal);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Whether none of those who hold the code has work that collides with the session's, as far as was looked (CC25). */
export async function isClearOf(
  db: Db,
  ask: { readonly sessionId: AgentId | null; readonly meetings: readonly Meeting[]; readonly outlook: Outlook },
): Promise<boolean> {
  const { sessionId, meetings, outlook } = ask;
  const holders = meetings.map(({ held }) => held.sessionId);
  const ids = [sessionId, ...holders].flatMap((id) => id ?? []);
  const sessions = await listSessionsById(db, ids);
  const folderOf = (id: AgentId | null): string | null => {
    const session = sessions.get(id ?? "");
    if (session === undefined) return null;
    const { worktree, branch, repo } = session;
    if (worktree !== null || branch === null || !isRepositoryNamed(outlook.repositoryPath, repo)) return worktree;
    return outlook.worktrees.find((one) => one.branch === branch)?.path ?? null;
  };
  const own = folderOf(sessionId);
  return holders.every((holder) => isKeptApart(outlook, own, folderOf(holder)));
}
