import type { DeveloperId, FindingId, TaskId } from "../../contract/ids.ts";
import { severities } from "../../contract/words.ts";
import type { Db } from "../../storage/db.ts";
import type { FindingRow } from "../../storage/schema.ts";
import type { Finding, FindingRecord, FindingState, Severity } from "./model.ts";

export async function findFinding(db: Db, id: FindingId): Promise<Finding | undefined> {
  const row = await db.first(db.q.selectFrom("finding").selectAll().where("id", "=", id));
  return row && findingOf(row);
}

interface FindingFilter {
  readonly states?: readonly FindingState[] | undefined;
  readonly severities?: readonly Severity[] | undefined;
  /** Whose findings are left out. */
  readonly hidden: readonly DeveloperId[];
  /** When decisions have to hold. */
  readonly now: number;
  readonly limit: number;
  readonly offset: number;
}

/** Worst first, then the newest. */
export async function listFindings(db: Db, filter: FindingFilter): Promise<Finding[]> {
  let query = db.q
    .selectFrom("finding")
    .selectAll()
    .orderBy("severityRank")
    .orderBy("updatedAt", "desc")
    .orderBy("id")
    .limit(filter.limit)
    .offset(filter.offset);
  const { states, now } = filter;
  if (states?.includes("open")) {
    query = query.where((of) => of.or([of("state", "in", states), of("expiresAt", "<=", now)]));
  } else if (states !== undefined) {
    query = query
      .where("state", "in", states)
      .where((of) => of.or([of("expiresAt", "is", null), of("expiresAt", ">", now)]));
  }
  if (filter.severities !== undefined) query = query.where("severity", "in", filter.severities);
  if (filter.hidden.length > 0) query = query.where("developerId", "not in", filter.hidden);
  return (await db.all(query)).map(findingOf);
}

interface FindingCount {
  readonly state: FindingState;
  readonly severity: Severity;
  readonly count: number;
}

/** How many there are of each severity in each state; what was decided and has expired is open. */
export async function countFindings(
  db: Db,
  { hidden, now }: Pick<FindingFilter, "hidden" | "now">,
): Promise<FindingCount[]> {
  let query = db.q
    .selectFrom("finding")
    .select(["state", "severity", (of) => of.fn.countAll<number>().as("count")])
    .groupBy(["state", "severity"]);
  if (hidden.length > 0) query = query.where("developerId", "not in", hidden);
  const counts = new Map<string, FindingCount>();
  const add = (state: FindingState, severity: Severity, count: number): void => {
    const key = `${state} ${severity}`;
    counts.set(key, { state, severity, count: (counts.get(key)?.count ?? 0) + count });
  };
  for (const { state, severity, count } of await db.all(query)) add(state, severity, Number(count));
  for (const { state, severity, count } of await db.all(query.where("expiresAt", "<=", now))) {
    add(state, severity, -Number(count));
    add("open", severity, Number(count));
  }
  return [...counts.values()].filter(({ count }) => count > 0);
}

type KnownFinding = Pick<FindingRow, "record" | "state" | "expiresAt" | "developerId" | "version">;

/** What is known of these, by id: enough to see whether a report says something new. */
export async function readKnown(db: Db, ids: readonly FindingId[]): Promise<ReadonlyMap<FindingId, KnownFinding>> {
  const rows = await db.all(
    db.q
      .selectFrom("finding")
      .select(["id", "record", "state", "expiresAt", "developerId", "version"])
      .where("id", "in", ids),
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

export async function listTaskFindings(db: Db, taskId: TaskId): Promise<Finding[]> {
  const rows = await db.all(db.q.selectFrom("finding").selectAll().where("taskId", "=", taskId));
  return rows.map(findingOf);
}

/** Findings that share a vulnerability, a package, a manifest or a service with this one: what was said of them may help. */
export async function listKin(db: Db, finding: Finding, limit: number): Promise<Finding[]> {
  const { vulnId, packageName, manifestPath, service } = finding;
  const rows = await db.all(
    db.q
      .selectFrom("finding")
      .selectAll()
      .where("state", "<>", "open")
      .where((of) =>
        of.or([
          of("id", "=", finding.id),
          ...(vulnId === null ? [] : [of("vulnId", "=", vulnId)]),
          ...(packageName === null ? [] : [of("packageName", "=", packageName)]),
          ...(manifestPath === null ? [] : [of("manifestPath", "=", manifestPath)]),
          ...(service === null ? [] : [of("service", "=", service)]),
        ]),
      )
      .orderBy("updatedAt", "desc")
      .orderBy("id")
      .limit(limit),
  );
  return rows.map(findingOf);
}

export const rankOf = (severity: Severity): number => severities.indexOf(severity);

const findingOf = ({ severityRank: _rank, record, ...row }: FindingRow): Finding => ({
  ...row,
  record: JSON.parse(record) as FindingRecord,
});
