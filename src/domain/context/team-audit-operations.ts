import type { AgentId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import { findLikePairs, type LikePair } from "../overlap/pair-operations.ts";
import type { Look } from "../port.ts";
import type { Work } from "../work.ts";
import { auditEvent } from "./team-events.ts";
import {
  type AuditPair,
  type AuditReport,
  isConflict,
  isRunning,
  recentMs,
  running,
  type WorkRef,
} from "./team-model.ts";
import { insertReport } from "./team-report-store.ts";
import { listTeamTasks, listTeamWorkstreams, readStatuses } from "./team-work-queries.ts";

/** What was found before the transaction; the rows may have moved on since. */
interface AuditFacts {
  readonly compared: number;
  readonly pairs: readonly LikePair[];
}

/** The latest of each are looked at; who audits now and then meets everything. */
const most = { running: 300, finished: 200 };

/** Compares what is under way or was finished lately with all such work. */
export async function lookForParallelWork(look: Look): Promise<AuditFacts> {
  const since = look.now - recentMs;
  const ids = await look.read((db) => listAudited(db, since));
  const pairs = await findLikePairs(
    look,
    ids,
    ({ lifecycle, at }) => isRunning(lifecycle) || (lifecycle === "done" && at >= since),
  );
  return { compared: ids.length, pairs };
}

async function listAudited(db: Db, since: number): Promise<string[]> {
  const found = [
    await listTeamTasks(db, { statuses: running, limit: most.running }),
    await listTeamWorkstreams(db, { statuses: running, limit: most.running }),
    await listTeamTasks(db, { statuses: ["done"], since, limit: most.finished }),
    await listTeamWorkstreams(db, { statuses: ["done"], since, limit: most.finished }),
  ];
  const compared = found.flatMap(({ items }) => items).filter(({ kind }) => kind === "task" || kind === "workstream");
  return compared.filter(({ isContainer }) => !isContainer).map(({ id }) => id);
}

const mostPairs = 50;
const mostInEvent = 20;

/** Keeps what an audit has found, with how the work is by now; pairs that still run first, then the most alike. */
export async function writeAudit(
  work: Work,
  { compared, pairs }: AuditFacts,
  sessionId?: AgentId,
): Promise<AuditReport> {
  await useNamedSession(work, sessionId);
  const statuses = await readStatuses(work.db, [...new Set(pairs.flatMap(({ one, other }) => [one.id, other.id]))]);
  const refOf = (doc: LikePair["one"]): WorkRef => ({
    id: doc.id,
    kind: doc.kind,
    title: doc.title,
    status: statuses.get(doc.id) ?? doc.lifecycle,
    developerId: doc.developerId,
  });
  const known = pairs
    .map(({ one, other, score, reasons }) => ({ one: refOf(one), other: refOf(other), score, reasons }))
    .filter(({ one, other }) => isAudited(one) && isAudited(other))
    .sort(byUrgency);
  const kept = known.slice(0, mostPairs);
  const report: AuditReport = {
    id: work.newId("report"),
    developerId: work.caller.developerId,
    createdAt: work.now,
    data: { compared, pairs: kept, omitted: known.length - kept.length },
  };
  await insertReport(work.db, "audit", report);
  work.record(
    auditEvent.audit(report.id, {
      compared,
      running_conflicts: known.filter(isConflict).length,
      pairs: kept
        .slice(0, mostInEvent)
        .map(({ one, other, score }) => ({ one: one.id, other: other.id, score: Math.round(score * 100) / 100 })),
      omitted: known.length - Math.min(kept.length, mostInEvent),
    }),
  );
  return report;
}

const isAudited = ({ status }: WorkRef): boolean => isRunning(status) || status === "done";

const byUrgency = (one: AuditPair, other: AuditPair): number =>
  runningSides(other) - runningSides(one) || other.score - one.score || (one.one.id < other.one.id ? -1 : 1);

const runningSides = ({ one, other }: AuditPair): number =>
  [one, other].filter(({ status }) => isRunning(status)).length;
