import { createHash } from "node:crypto";
import type { WarningId } from "../../contract/ids.ts";
import type { Aim } from "../intent/model.ts";
import type { SystemWork, Work } from "../work.ts";
import { candidateOf, type Detection, type Found } from "./detect-operations.ts";
import { taskCheckEvent, workstreamCheckEvent } from "./events.ts";
import {
  confirmationLivesMs,
  type Judgement,
  type ScopeCheck,
  type Sought,
  scopeCheckLivesMs,
  titleKey,
  type Warning,
} from "./model.ts";
import type { LikeWork } from "./port.ts";
import { findLatestScopeCheck, insertScopeCheck, shortenScopeChecks } from "./scope-check-store.ts";
import { insertWarning } from "./warning-store.ts";

export interface ScopeCheckAsk {
  readonly aim: Aim;
  readonly plannedId: string | null;
}

/** What was found, and what of it must be judged. */
export interface Outcome {
  readonly asked: readonly Found[];
  readonly covered: ScopeCheck["covered"];
  readonly matches: readonly Found[];
  readonly earlierWarnings: readonly WarningId[];
  readonly earlierReason: string | null;
}

/** The outcome of a first check: everything that has escalated, the most alike to be judged. */
export function firstOutcome(
  { matches, escalated }: Detection,
  like: LikeWork,
  confirmed: ScopeCheck | undefined,
): Outcome {
  const known = new Set(confirmed === undefined ? [] : knownTo(confirmed));
  const fresh = escalated.filter(({ doc }) => !known.has(doc.id));
  return {
    asked: fresh.slice(0, like.settings.maxCandidates),
    covered: [
      ...(confirmed === undefined ? [] : coveredBy(confirmed, confirmed.confirmation?.verdicts ?? [])),
      ...fresh.slice(like.settings.maxCandidates).map(unjudged),
    ],
    matches,
    earlierWarnings: confirmed === undefined ? [] : warningsOf(confirmed),
    earlierReason: confirmed?.confirmation?.reason ?? null,
  };
}

/** An unused check of this very work that a person has confirmed not long ago. */
export async function findConfirmed(work: Work, { aim, plannedId }: ScopeCheckAsk): Promise<ScopeCheck | undefined> {
  const key = { developerId: work.caller.developerId, kind: aim.kind, title: titleKey(aim.title), plannedId };
  const latest = await findLatestScopeCheck(work.db, key);
  const confirmedAt = latest?.confirmation?.at;
  if (confirmedAt === undefined || latest?.consumedAt !== null) return undefined;
  return work.now - confirmedAt < confirmationLivesMs ? latest : undefined;
}

/** Everything a check has taken note of. */
export const knownTo = ({ candidates, covered }: ScopeCheck): string[] =>
  [...candidates, ...covered].map(({ id }) => id);

/** What the next check need not ask about, with what was said of it. */
export const coveredBy = (check: ScopeCheck, judgements: readonly Judgement[]): ScopeCheck["covered"] => [
  ...check.covered,
  ...check.candidates.map((candidate) => ({
    ...candidate,
    judgement: judgements.find(({ candidateId }) => candidateId === candidate.id) ?? null,
  })),
];

/** The warnings that a start with this check settles. */
export const warningsOf = (check: ScopeCheck): WarningId[] => [
  ...check.earlierWarnings,
  ...(check.warningId === null ? [] : [check.warningId]),
];

export const unjudged = (found: Found): ScopeCheck["covered"][number] => ({ ...candidateOf(found), judgement: null });

/** Writes a check down, with the warning that goes with it. */
export async function recordScopeCheck(
  work: Work,
  { aim, plannedId }: ScopeCheckAsk,
  outcome: Outcome,
  { modelVersion, escalatesFrom }: Pick<LikeWork, "modelVersion" | "escalatesFrom">,
): Promise<ScopeCheck> {
  const title = titleKey(aim.title);
  const key = { developerId: work.caller.developerId, kind: aim.kind, title, plannedId };
  const before = await findLatestScopeCheck(work.db, key);
  const requiresVerdict = outcome.asked.length > 0;
  const id = work.newId("check");
  const warning = await raiseWarning(work, aim, {
    found: [...new Set([...outcome.asked, ...outcome.matches])],
    isOpen: requiresVerdict,
    checkId: id,
    subjectId: plannedId,
  });
  const check: ScopeCheck = {
    ...key,
    id,
    sessionId: aim.sessionId,
    inputHash: hashAim(aim),
    warningId: warning?.id ?? null,
    requiresVerdict,
    candidates: outcome.asked.map(candidateOf),
    covered: [...outcome.covered],
    earlierWarnings: [...outcome.earlierWarnings],
    earlierReason: outcome.earlierReason,
    sought: soughtOf(aim),
    confirmation: null,
    modelVersion,
    escalatesFrom,
    // Two checks of one piece of work have an order even within the same millisecond.
    createdAt: Math.max(work.now, (before?.createdAt ?? 0) + 1),
    expiresAt: work.now + scopeCheckLivesMs,
    consumedAt: null,
    version: 1,
  };
  await insertScopeCheck(work.db, check);
  const event = aim.kind === "task" ? taskCheckEvent : workstreamCheckEvent;
  work.record(
    event.checked(check.id, {
      title: aim.title,
      planned_id: plannedId,
      requires_verdict: requiresVerdict,
      warning_id: check.warningId,
      candidate_ids: check.candidates.map((candidate) => candidate.id),
    }),
  );
  return check;
}

/** Stores what was found alike; undefined where there was nothing. */
export async function raiseWarning(
  work: Work,
  aim: Pick<Aim, "kind" | "title">,
  ask: { found: readonly Found[]; isOpen: boolean; checkId: ScopeCheck["id"] | null; subjectId: string | null },
): Promise<Warning | undefined> {
  if (ask.found.length === 0) return undefined;
  const warning: Warning = {
    id: work.newId("warning"),
    checkId: ask.checkId,
    subjectId: ask.subjectId,
    developerId: work.caller.developerId,
    kind: aim.kind,
    title: aim.title,
    matches: ask.found.map((found) => {
      const { features: _, ...kept } = candidateOf(found);
      return kept;
    }),
    status: ask.isOpen ? "open" : "noted",
    reason: null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertWarning(work.db, warning);
  return warning;
}

const mostDescription = 2_000;

const soughtOf = ({ title, scope, description, action, component, repo, branch, files }: Aim): Sought => ({
  title,
  scope,
  description: description?.slice(0, mostDescription) ?? null,
  action,
  component,
  repo,
  branch,
  files: [...files],
});

/** What was asked about, for whoever wonders later whether two checks were the same. */
const hashAim = (aim: Aim): string => createHash("sha256").update(JSON.stringify(aim)).digest("hex");

/** No check is good for longer than a new one, whatever the clock said when it was made. */
export const settleScopeChecks = (work: SystemWork): Promise<void> => shortenScopeChecks(work.db, work.now);
