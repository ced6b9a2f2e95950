import { type DeveloperId, isIdOf } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { listIntents } from "../intent/queries.ts";
import { readDocs } from "./doc-operations.ts";
import type { Candidate, KeptVerdict, ScopeCheck, Warning } from "./model.ts";
import { findScopeCheck, listVerdicts, listWaitingScopeChecks } from "./scope-check-store.ts";
import { findWarning, listOpenWarnings } from "./warning-store.ts";
import type { WorkDoc } from "./work-doc.ts";

/** Work that may be done twice, from both sides it is written down on: the check, the warning, or both. */
export type Doubt = { readonly developerId: DeveloperId; readonly kind: ScopeCheck["kind"] } & (
  | { readonly check: ScopeCheck; readonly warning: Warning | undefined }
  | { readonly check: undefined; readonly warning: Warning }
);

/** A piece of work as it is now. */
export interface Side {
  readonly doc: WorkDoc;
  readonly branch: string | null;
}

export interface OtherSide {
  /** As it was when it was found. */
  readonly found: Omit<Candidate, "features">;
  /** Undefined where it is gone. */
  readonly now: Side | undefined;
  readonly needsVerdict: boolean;
}

export interface Comparison {
  readonly doubt: Doubt;
  /** The work itself, once it is planned or begun. */
  readonly subject: Side | undefined;
  readonly others: readonly OtherSide[];
  readonly verdicts: readonly KeptVerdict[];
}

/** What waits for somebody's judgement: checks that still count, the next to run out first, then other open warnings. */
export async function listDoubts(
  db: Db,
  ask: { developerId: DeveloperId | undefined; now: number; limit: number },
): Promise<Doubt[]> {
  const checks = await listWaitingScopeChecks(db, ask);
  const warnings = await listOpenWarnings(db, ask);
  const byId = new Map(warnings.map((warning) => [warning.id, warning]));
  const waiting = checks.map((check) =>
    doubtOf(check, check.warningId === null ? undefined : byId.get(check.warningId)),
  );
  const told = new Set(checks.flatMap((check) => [check.warningId, ...check.earlierWarnings]));
  const others: Doubt[] = [];
  for (const warning of warnings.filter(({ id }) => !told.has(id)).slice(0, Math.max(0, ask.limit - waiting.length))) {
    const check = warning.checkId === null ? undefined : await findScopeCheck(db, warning.checkId);
    others.push(
      check ? doubtOf(check, warning) : { developerId: warning.developerId, kind: warning.kind, check, warning },
    );
  }
  return [...waiting, ...others];
}

/** One check or warning with both sides of it, and all that was said about the other side so far. */
export async function readComparison(db: Db, id: string): Promise<Comparison> {
  const doubt = await getDoubt(db, id);
  const found = listFound(doubt);
  const subjectId = doubt.check?.plannedId ?? doubt.warning?.subjectId ?? null;
  const ids = [...found.map(({ id: other }) => other), ...(subjectId === null ? [] : [subjectId])];
  const sides = await readSides(db, ids);
  const asked = new Set(doubt.check?.candidates.map(({ id: other }) => other));
  return {
    doubt,
    subject: subjectId === null ? undefined : sides.get(subjectId),
    others: found.map((one) => ({ found: one, now: sides.get(one.id), needsVerdict: asked.has(one.id) })),
    verdicts: await listVerdicts(
      db,
      found.map(({ id: other }) => other),
      mostVerdicts,
    ),
  };
}

const mostVerdicts = 50;

const isCheck = isIdOf("check");
const isWarning = isIdOf("warning");

async function getDoubt(db: Db, id: string): Promise<Doubt> {
  const check = isCheck(id) ? await findScopeCheck(db, id) : undefined;
  if (check) return doubtOf(check, check.warningId === null ? undefined : await findWarning(db, check.warningId));
  const warning = isWarning(id) ? await findWarning(db, id) : undefined;
  if (!warning) throw unknownDoubt();
  const its = warning.checkId === null ? undefined : await findScopeCheck(db, warning.checkId);
  return its
    ? doubtOf(its, warning)
    : { developerId: warning.developerId, kind: warning.kind, check: undefined, warning };
}

export const unknownDoubt = (): Refusal =>
  new Refusal("NOT_FOUND", "No check and no warning has that id.", nextStep("listDoubts"));

const doubtOf = (check: ScopeCheck, warning: Warning | undefined): Doubt => ({
  developerId: check.developerId,
  kind: check.kind,
  check,
  warning,
});

/** What must be judged first, then whatever else was found. */
function listFound({ check, warning }: Doubt): Omit<Candidate, "features">[] {
  const all = [...(check?.candidates ?? []), ...(check?.covered ?? []), ...(warning?.matches ?? [])];
  return all.filter((one, place) => all.findIndex(({ id }) => id === one.id) === place);
}

async function readSides(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Side>> {
  const docs = await readDocs(db, ids);
  const intents = await listIntents(db, ids);
  return new Map(docs.map((doc) => [doc.id, { doc, branch: intents.get(doc.id)?.branch ?? null }]));
}
