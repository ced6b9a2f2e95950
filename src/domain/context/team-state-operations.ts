import type { Db } from "../../storage/db.ts";
import { sessionStaleAfterMs } from "../agent/session-model.ts";
import { joinCuts } from "./cut-queries.ts";
import {
  type AuditPair,
  type AuditReport,
  type Cut,
  isRunning,
  recentMs,
  running,
  type TeamContext,
  type TeamNote,
  type TeamSession,
  type TeamWarning,
  type TeamWork,
} from "./team-model.ts";
import { listTeamContexts, listTeamNotes, listTeamSessions, listTeamWarnings } from "./team-notice-queries.ts";
import { listReports } from "./team-report-store.ts";
import { listTeamTasks, listTeamWorkstreams, readStatuses } from "./team-work-queries.ts";

/** Everything a newcomer should know before beginning something. */
export interface TeamState {
  readonly activeWork: Cut<TeamWork>;
  readonly plannedWork: Cut<TeamWork>;
  readonly recentCompletions: Cut<TeamWork>;
  readonly activeWorkstreams: Cut<TeamWork>;
  readonly plannedWorkstreams: Cut<TeamWork>;
  readonly notes: Cut<TeamNote>;
  readonly recentSessions: Cut<TeamSession>;
  readonly staleSessions: Cut<TeamSession>;
  readonly warnings: Cut<TeamWarning>;
  readonly contexts: Cut<TeamContext>;
  readonly audits: readonly AuditReport[];
  /** Of the latest audit, with how the work is now: pairs of which at least one side is still under way. */
  readonly auditConflicts: readonly AuditPair[];
}

export interface StateLimits {
  readonly work: number;
  readonly others: number;
}

const mostAudits = 3;

/** What is read is bounded by what is shown, however large the team's history is. */
export async function readTeamState(db: Db, now: number, most: StateLimits): Promise<TeamState> {
  const recent = now - recentMs;
  const live = await listTeamSessions(db, { limit: most.others });
  const ended = await listTeamSessions(db, { endedSince: recent, limit: most.others });
  const audits = await listReports(db, "audit", { limit: mostAudits });
  return {
    activeWork: await listTeamTasks(db, { statuses: running, limit: most.work }),
    plannedWork: await listTeamTasks(db, { statuses: ["planned"], limit: most.work }),
    recentCompletions: await listTeamTasks(db, { statuses: ["done"], since: recent, limit: most.work }),
    activeWorkstreams: await listTeamWorkstreams(db, { statuses: running, limit: most.others }),
    plannedWorkstreams: await listTeamWorkstreams(db, { statuses: ["planned"], limit: most.others }),
    notes: await listTeamNotes(db, { kinds: ["decision", "blocker", "issue"], since: recent, limit: most.others }),
    recentSessions: joinCuts([live, ended], (session) => session.lastSeenAt, most.others),
    staleSessions: await listTeamSessions(db, { seenBefore: now - sessionStaleAfterMs, limit: most.others }),
    warnings: await listTeamWarnings(db, { status: "open", limit: most.others }),
    contexts: await listTeamContexts(db, { now, limit: most.others }),
    audits,
    auditConflicts: await listLiveConflicts(db, audits[0]),
  };
}

async function listLiveConflicts(db: Db, latest: AuditReport | undefined): Promise<AuditPair[]> {
  const pairs = latest?.data.pairs ?? [];
  const ids = [...new Set(pairs.flatMap(({ one, other }) => [one.id, other.id]))];
  const statuses = await readStatuses(db, ids);
  return pairs
    .map((pair) => ({
      ...pair,
      one: { ...pair.one, status: statuses.get(pair.one.id) ?? pair.one.status },
      other: { ...pair.other, status: statuses.get(pair.other.id) ?? pair.other.status },
    }))
    .filter(({ one, other }) => isRunning(one.status) || isRunning(other.status));
}
