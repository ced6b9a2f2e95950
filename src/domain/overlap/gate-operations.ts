import type { ScopeCheckId } from "../../contract/ids.ts";
import type { Aim } from "../intent/model.ts";
import { hasEnded } from "../lifecycle.ts";
import type { Work } from "../work.ts";
import { type Detection, describeFound, detectOverlap, type Found } from "./detect-operations.ts";
import { readDocs } from "./doc-operations.ts";
import type { OverlapQuery } from "./engine/doc.ts";
import { scopeEvent } from "./events.ts";
import {
  decideGate,
  findScopeCheckProblem,
  type GateDecision,
  type Keys,
  type ScopeCheckProblem,
  type VerdictProblem,
} from "./gate-rules.ts";
import { type Judgement, type ScopeCheck, titleKey } from "./model.ts";
import type { LikeWork } from "./port.ts";
import {
  coveredBy,
  knownTo,
  type Outcome,
  recordScopeCheck,
  type ScopeCheckAsk,
  unjudged,
  warningsOf,
} from "./scope-check-operations.ts";
import {
  consumeScopeCheck,
  findLatestScopeCheck,
  findScopeCheck,
  guardStarts,
  insertVerdicts,
} from "./scope-check-store.ts";
import { type Settlement, settleWarnings } from "./warning-operations.ts";
import { listUnsettledWarnings } from "./warning-store.ts";

interface GateAsk extends ScopeCheckAsk {
  readonly checkId: ScopeCheckId | undefined;
  readonly keys: Omit<Keys, "namesCheck">;
}

export type Passed = {
  readonly kind: "passed";
  readonly check: ScopeCheck;
  readonly decision: Extract<GateDecision, { kind: "clear" | "judged" | "confirmed" }>;
  readonly confirmationReason: string | undefined;
  readonly detection: Detection;
};

/** A decision, not a failure: it is committed with what it was decided on. */
export type Blocked =
  | { readonly kind: "check-required"; readonly problem: ScopeCheckProblem }
  | {
      readonly kind: "verdict-required";
      readonly problem: VerdictProblem | "escalated-since";
      readonly check: ScopeCheck;
      readonly candidates: readonly Found[];
    }
  | { readonly kind: "confirmation-required"; readonly check: ScopeCheck; readonly candidates: readonly Found[] };

/** Whether work may begin: with a check that counts (GA6), with a verdict (GA17), and with nothing new since (GA24). */
export async function passGate(work: Work, ask: GateAsk, like: LikeWork): Promise<Passed | Blocked> {
  await guardStarts(work.db, work.caller.teamId);
  const key = keyOf(work, ask);
  const check = await (ask.checkId === undefined
    ? findLatestScopeCheck(work.db, key)
    : findScopeCheck(work.db, ask.checkId));
  const problem = findScopeCheckProblem(check, key, work.now);
  if (problem !== undefined || check === undefined) return { kind: "check-required", problem: problem ?? "none" };

  const query = queryOf(work, ask.aim);
  const detection = await detectOverlap(work, query, like, ask.plannedId);
  const open = await listOpen(work, check, query, like);
  const openIds = new Set(open.map(({ doc }) => doc.id));
  const keys: Keys = { ...ask.keys, namesCheck: ask.checkId !== undefined };
  const decision = decideGate(
    check,
    check.candidates.filter(({ id }) => openIds.has(id)),
    keys,
  );
  if (decision.kind === "verdict-required") {
    return { kind: "verdict-required", problem: decision.problem, check, candidates: open };
  }
  if (decision.kind === "confirmation-required") {
    const ids = new Set(decision.duplicates.map(({ id }) => id));
    return { kind: "confirmation-required", check, candidates: open.filter(({ doc }) => ids.has(doc.id)) };
  }
  const passed: Passed = {
    kind: "passed",
    check,
    decision,
    confirmationReason: ask.keys.confirmationReason ?? check.confirmation?.reason,
    detection,
  };
  return (await checkAgain(work, ask, passed, like)) ?? passed;
}

const keyOf = (work: Work, { aim, plannedId }: ScopeCheckAsk) => ({
  developerId: work.caller.developerId,
  kind: aim.kind,
  title: titleKey(aim.title),
  plannedId,
});

/** The candidates of a check that are still open, as they are now. */
async function listOpen(work: Work, check: ScopeCheck, query: OverlapQuery, like: LikeWork): Promise<Found[]> {
  const ids = check.candidates.map(({ id }) => id);
  const docs = (await readDocs(work.db, ids)).filter((doc) => !hasEnded(doc.lifecycle));
  return describeFound(query, docs, like);
}

/**
 * What has escalated since the check must be judged too: a new check, with only the new candidates. What was judged
 * goes along, so that it need not be judged again.
 */
async function checkAgain(work: Work, ask: GateAsk, passed: Passed, like: LikeWork): Promise<Blocked | undefined> {
  const { check, decision } = passed;
  const known = new Set(knownTo(check));
  const fresh = passed.detection.escalated.filter(({ doc }) => !known.has(doc.id));
  if (fresh.length === 0) return undefined;
  const judgements = decision.kind === "judged" ? decision.judgements : [];
  const asked = fresh.slice(0, like.settings.maxCandidates);
  const outcome: Outcome = {
    asked,
    covered: [...coveredBy(check, judgements), ...fresh.slice(like.settings.maxCandidates).map(unjudged)],
    matches: [],
    earlierWarnings: warningsOf(check),
    earlierReason: decision.kind === "confirmed" ? decision.reason : check.earlierReason,
  };
  const again = await recordScopeCheck(work, ask, outcome, like);
  return { kind: "verdict-required", problem: "escalated-since", check: again, candidates: asked };
}

/** Uses up the check, keeps the verdicts and settles the warnings, in the transaction in which the work begins. */
export async function settleGate(work: Work, passed: Passed, subjectId: string): Promise<Settlement> {
  const { check, decision } = passed;
  await consumeScopeCheck(work.db, check, work.now);
  const earlier = check.covered.flatMap(({ judgement }) => judgement ?? []);
  const judgements = [...earlier, ...(decision.kind === "judged" ? decision.judgements : [])];
  const isDuplicate =
    (decision.kind === "judged" && decision.isDuplicate) || earlier.some(({ verdict }) => verdict === "same_scope");
  if (judgements.length > 0) await keepVerdicts(work, passed, { judgements, isDuplicate, subjectId });
  const settlement = settlementOf(passed, judgements.length > 0);
  const planned = check.plannedId === null ? [] : await listUnsettledWarnings(work.db, check.plannedId);
  await settleWarnings(work, [...warningsOf(check), ...planned.map(({ id }) => id)], settlement, subjectId);
  return settlement;
}

/** How the warnings about what was found end. */
function settlementOf({ decision, check }: Passed, isJudged: boolean): Settlement {
  if (decision.kind === "confirmed") return { status: "confirmed", reason: decision.reason };
  if (isJudged) return { status: "judged" };
  if (check.earlierReason !== null) return { status: "confirmed", reason: check.earlierReason };
  return { status: "void" };
}

async function keepVerdicts(
  work: Work,
  { check, confirmationReason }: Passed,
  ask: { judgements: readonly Judgement[]; isDuplicate: boolean; subjectId: string },
): Promise<void> {
  const features = new Map([...check.covered, ...check.candidates].map((one) => [one.id, one.features]));
  const verdicts = ask.judgements.map((judgement) => ({
    ...judgement,
    id: work.newId("verdict"),
    features: features.get(judgement.candidateId) ?? {},
  }));
  await insertVerdicts(work.db, check, verdicts, work.now);
  work.record(
    scopeEvent.judged(ask.subjectId, {
      check_id: check.id,
      duplicate: ask.isDuplicate,
      verdicts: verdicts.map(({ candidateId, verdict }) => ({ candidate_id: candidateId, verdict })),
      confirmation_reason: confirmationReason ?? null,
    }),
  );
}

/** Work in the words of the comparison. */
export const queryOf = (work: Pick<Work, "caller" | "now">, aim: Aim): OverlapQuery => ({
  kind: aim.kind,
  title: aim.title,
  scope: aim.scope,
  description: aim.description,
  result: null,
  action: aim.action,
  component: aim.component,
  repo: aim.repo,
  files: aim.files,
  developerId: work.caller.developerId,
  sessionId: aim.sessionId,
  at: work.now,
});
