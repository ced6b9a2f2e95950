import type { AgentId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import type { Work } from "../work.ts";
import { joinCuts } from "./cut-queries.ts";
import { sumRecoveries } from "./recovery-operations.ts";
import { summaryEvent } from "./team-events.ts";
import { type Cut, running, type TeamWork, type WeekFindings, type WeekReport, weekMs } from "./team-model.ts";
import { listTeamNotes, listTeamSessions, listTeamWarnings } from "./team-notice-queries.ts";
import { insertReport, listReports } from "./team-report-store.ts";
import { listTeamTasks, listTeamWorkstreams, type WorkFilter } from "./team-work-queries.ts";

/** Each section of a summary shows at most so much. */
const mostShown = 50;

/** Tells the last seven days, and keeps it: the next days change what the same question would find. */
export async function writeWeek(work: Work, sessionId?: AgentId): Promise<WeekReport> {
  await useNamedSession(work, sessionId);
  const report: WeekReport = {
    id: work.newId("report"),
    developerId: work.caller.developerId,
    createdAt: work.now,
    data: await readWeek(work.db, work.now),
  };
  await insertReport(work.db, "week", report);
  const { data } = report;
  work.record(
    summaryEvent.generated(report.id, {
      since: new Date(data.since).toISOString(),
      until: new Date(data.until).toISOString(),
      completed: data.completed.total,
      planned: data.planned.total,
      active: data.active.total,
      blockers: data.blocked.total + data.blockers.total,
      decisions: data.decisions.total,
      overlap_warnings: data.warnings.total,
      parallel_audits: data.audits.total,
      agent_sessions: data.sessions.total,
    }),
  );
  return report;
}

export async function findLatestWeek(db: Db): Promise<WeekReport | undefined> {
  const [latest] = await listReports(db, "week", { limit: 1 });
  return latest;
}

async function readWeek(db: Db, now: number): Promise<WeekFindings> {
  const since = now - weekMs;
  const inWeek = { since, limit: mostShown };
  const audits = await listReports(db, "audit", inWeek);
  const live = await listTeamSessions(db, { limit: mostShown });
  const ended = await listTeamSessions(db, { endedSince: since, limit: mostShown });
  return {
    since,
    until: now,
    completed: await listWork(db, { statuses: ["done"], ...inWeek }),
    planned: await listWork(db, { statuses: ["planned"], limit: mostShown }),
    active: await listWork(db, { statuses: running.filter((status) => status !== "blocked"), limit: mostShown }),
    blocked: await listWork(db, { statuses: ["blocked", "failed"], limit: mostShown }),
    blockers: await listTeamNotes(db, { kinds: ["blocker", "issue"], ...inWeek }),
    decisions: await listTeamNotes(db, { kinds: ["decision"], ...inWeek }),
    warnings: await listTeamWarnings(db, inWeek),
    audits: { items: audits, total: audits.length },
    recoveries: await sumRecoveries(db, since),
    sessions: joinCuts([live, ended], (session) => session.lastSeenAt, mostShown),
  };
}

/** Tasks and what they belong to, but not what the server made only to hold them. */
async function listWork(db: Db, filter: WorkFilter): Promise<Cut<TeamWork>> {
  const workstreams = await listTeamWorkstreams(db, filter);
  const named = workstreams.items.filter((workstream) => !workstream.isContainer);
  const total = workstreams.total - (workstreams.items.length - named.length);
  return joinCuts([await listTeamTasks(db, filter), { items: named, total }], (work) => work.updatedAt, filter.limit);
}
