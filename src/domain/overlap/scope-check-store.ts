import type { DeveloperId, ScopeCheckId, TeamId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import type { ScopeCheckRow } from "../../storage/schema-team.ts";
import { clockSlackMs } from "../clock.ts";
import {
  type Confirmation,
  confirmationLivesMs,
  type Judgement,
  type KeptVerdict,
  type ScopeCheck,
  scopeCheckLivesMs,
} from "./model.ts";

/** Starts of one team run one after the other: two that both checked clean must not both begin (GA26). */
export const guardStarts = (db: Db, teamId: TeamId): Promise<void> => guard(db, `overlap:${teamId}`);

export async function findScopeCheck(db: Db, id: ScopeCheckId): Promise<ScopeCheck | undefined> {
  const row = await db.first(byId(db.q, id));
  return row && checkOf(row);
}

const byId = prepare((q, id: ScopeCheckId) => q.selectFrom("scopeCheck").selectAll().where("id", "=", id));

type ScopeCheckKey = Pick<ScopeCheck, "developerId" | "kind" | "title" | "plannedId">;

/** The newest check of this very work, used up or run out or not. */
export async function findLatestScopeCheck(db: Db, key: ScopeCheckKey): Promise<ScopeCheck | undefined> {
  const { developerId, kind, title, plannedId } = key;
  const work = { developerId, kind, title };
  const row = await db.first(plannedId === null ? latestOf(db.q, work) : latestOfPlanned(db.q, { ...work, plannedId }));
  return row && checkOf(row);
}

const checksOf = (q: Db["q"], { developerId, kind, title }: Omit<ScopeCheckKey, "plannedId">) =>
  q
    .selectFrom("scopeCheck")
    .selectAll()
    .where("developerId", "=", developerId)
    .where("kind", "=", kind)
    .where("title", "=", title)
    .orderBy("createdAt", "desc")
    .limit(1);

const latestOf = prepare((q, work: Omit<ScopeCheckKey, "plannedId">) =>
  checksOf(q, work).where("plannedId", "is", null),
);

const latestOfPlanned = prepare((q, work: ScopeCheckKey) => checksOf(q, work).where("plannedId", "=", work.plannedId));

export async function insertScopeCheck(db: Db, check: ScopeCheck): Promise<void> {
  await db.run(insertion(db.q, rowOf(check)));
}

const insertion = prepare((q, row: ScopeCheckRow) => q.insertInto("scopeCheck").values(row));

export async function consumeScopeCheck(db: Db, read: ScopeCheck, now: number): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("scopeCheck")
      .set({ consumedAt: now, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

export async function saveConfirmation(db: Db, read: ScopeCheck, confirmation: Confirmation): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("scopeCheck")
      .set({ confirmation: JSON.stringify(confirmation), version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

/** Checks that ask for a verdict, still count and were not used, the next to run out first. */
export async function listWaitingScopeChecks(
  db: Db,
  ask: { developerId?: DeveloperId | undefined; now: number; limit: number },
): Promise<ScopeCheck[]> {
  let query = db.q
    .selectFrom("scopeCheck")
    .selectAll()
    .where("expiresAt", ">", ask.now)
    .where("requiresVerdict", "=", 1)
    .where("consumedAt", "is", null)
    .orderBy("expiresAt")
    .limit(ask.limit);
  if (ask.developerId !== undefined) query = query.where("developerId", "=", ask.developerId);
  return (await db.all(query)).map(checkOf);
}

interface VerdictOf extends Judgement {
  readonly id: string;
  readonly features: Readonly<Record<string, number>>;
}

/** Verdicts are kept with what the score was computed from, so that the weights can be judged by them later. */
export async function insertVerdicts(
  db: Db,
  check: Pick<ScopeCheck, "id" | "developerId" | "modelVersion">,
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

/** What was said at any time about these pieces of work, newest first. */
export async function listVerdicts(db: Db, candidateIds: readonly string[], limit: number): Promise<KeptVerdict[]> {
  if (candidateIds.length === 0) return [];
  const rows = await db.all(
    db.q
      .selectFrom("verdict")
      .select(["id", "checkId", "candidateId", "developerId", "verdict", "reason", "createdAt"])
      .where("candidateId", "in", candidateIds)
      .orderBy("createdAt", "desc")
      .orderBy("id")
      .limit(limit),
  );
  return rows.map((row) => ({
    ...row,
  }));
}

/** All that was found goes into one column: it is read as a whole or not at all. */
type Stored = Pick<
  ScopeCheck,
  "candidates" | "covered" | "earlierWarnings" | "earlierReason" | "sought" | "escalatesFrom"
>;

function rowOf({
  candidates,
  covered,
  earlierWarnings,
  earlierReason,
  sought,
  escalatesFrom,
  confirmation,
  requiresVerdict,
  ...plain
}: ScopeCheck): ScopeCheckRow {
  const stored: Stored = { candidates, covered, earlierWarnings, earlierReason, sought, escalatesFrom };
  return {
    ...plain,
    requiresVerdict: Number(requiresVerdict),
    candidates: JSON.stringify(stored),
    confirmation: confirmation === null ? null : JSON.stringify(confirmation),
  };
}

const checkOf = (row: ScopeCheckRow): ScopeCheck => ({
  ...row,
  requiresVerdict: row.requiresVerdict === 1,
  ...({ escalatesFrom: null, ...JSON.parse(row.candidates) } as Stored),
  confirmation: row.confirmation === null ? null : (JSON.parse(row.confirmation) as Confirmation),
});

/** Checks that outlive the longest there are come from a clock that was ahead; they end when a new one would. */
export async function shortenScopeChecks(db: Db, now: number): Promise<void> {
  await db.run(
    db.q
      .updateTable("scopeCheck")
      .set((of) => ({ expiresAt: now + scopeCheckLivesMs, version: of("version", "+", 1) }))
      .where("expiresAt", ">", now + confirmationLivesMs + clockSlackMs),
  );
}
