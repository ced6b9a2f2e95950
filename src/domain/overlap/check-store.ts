import type { AgentId, CheckId, DeveloperId, TeamId, WarningId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import type { ScopeCheckRow } from "../../storage/schema-team.ts";
import type { Check, Judgement } from "./model.ts";

/** Starts of one team run one after the other: two that both checked clean must not both begin (T3). */
export const guardStarts = (db: Db, teamId: TeamId): Promise<void> => guard(db, `overlap:${teamId}`);

export async function findCheck(db: Db, id: CheckId): Promise<Check | undefined> {
  const row = await db.first(db.q.selectFrom("scopeCheck").selectAll().where("id", "=", id));
  return row && checkOf(row);
}

export type CheckKey = Pick<Check, "developerId" | "kind" | "title" | "plannedId">;

/** The newest check of this very work, used up or run out or not. */
export async function findLatestCheck(db: Db, key: CheckKey): Promise<Check | undefined> {
  const { developerId, kind, title, plannedId } = key;
  let query = db.q
    .selectFrom("scopeCheck")
    .selectAll()
    .where("developerId", "=", developerId)
    .where("kind", "=", kind)
    .where("title", "=", title)
    .orderBy("createdAt", "desc")
    .limit(1);
  query = plannedId === null ? query.where("plannedId", "is", null) : query.where("plannedId", "=", plannedId);
  const row = await db.first(query);
  return row && checkOf(row);
}

export async function insertCheck(db: Db, check: Check): Promise<void> {
  await db.run(db.q.insertInto("scopeCheck").values(rowOf(check)));
}

export async function consumeCheck(db: Db, read: Check, now: number): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("scopeCheck")
      .set({ consumedAt: now, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

export interface VerdictOf extends Judgement {
  readonly id: string;
  readonly features: Readonly<Record<string, number>>;
}

/** Verdicts are kept with what the score was computed from, so that the weights can be judged by them later. */
export async function insertVerdicts(
  db: Db,
  check: Pick<Check, "id" | "developerId" | "modelVersion">,
  verdicts: readonly VerdictOf[],
  now: number,
): Promise<void> {
  if (verdicts.length === 0) return;
  await db.run(
    db.q.insertInto("verdict").values(
      verdicts.map(({ id, candidateId, verdict, reason, features }) => ({
        id,
        checkId: check.id,
        candidateId,
        developerId: check.developerId,
        verdict,
        reason,
        features: JSON.stringify({ model: check.modelVersion, ...features }),
        createdAt: now,
      })),
    ),
  );
}

/** All that was found goes into one column: it is read as a whole or not at all. */
type Stored = Pick<Check, "candidates" | "covered" | "earlierWarnings" | "earlierReason">;

function rowOf({
  candidates,
  covered,
  earlierWarnings,
  earlierReason,
  requiresVerdict,
  ...plain
}: Check): ScopeCheckRow {
  const stored: Stored = { candidates, covered, earlierWarnings, earlierReason };
  return { ...plain, requiresVerdict: Number(requiresVerdict), candidates: JSON.stringify(stored) };
}

const checkOf = (row: ScopeCheckRow): Check => ({
  ...row,
  id: row.id as CheckId,
  developerId: row.developerId as DeveloperId,
  sessionId: row.sessionId as AgentId | null,
  kind: row.kind as Check["kind"],
  warningId: row.warningId as WarningId | null,
  requiresVerdict: row.requiresVerdict === 1,
  ...(JSON.parse(row.candidates) as Stored),
});
