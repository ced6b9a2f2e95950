import type { WarningId } from "../../contract/ids.ts";
import type { Candidate, Judgement, ScopeCheck } from "./model.ts";

/** What a start brings along to get through. */
export interface Keys {
  readonly verdicts: readonly Judgement[] | undefined;
  readonly confirmationReason: string | undefined;
  /** With the reason the older way in, for clients that name no check. */
  readonly warningId: WarningId | undefined;
  readonly namesCheck: boolean;
}

export type GateDecision =
  /** Nothing that was found is still open: no verdict is needed, and a warning about it is void. */
  | { readonly kind: "clear"; readonly isVoid: boolean }
  | { readonly kind: "judged"; readonly judgements: readonly Judgement[]; readonly isDuplicate: boolean }
  | { readonly kind: "confirmed"; readonly reason: string }
  | { readonly kind: "verdict-required"; readonly problem: VerdictProblem }
  | { readonly kind: "confirmation-required"; readonly duplicates: readonly Candidate[] };

export type VerdictProblem =
  | "missing"
  | "no-check"
  | "incomplete"
  | "unknown-candidate"
  | "judged-twice"
  | "other-warning";

/**
 * Whether work may begin with this check (GA17, GA19), as far as the check itself goes. `open` are those of its candidates
 * that are not closed by now. Pure: what has escalated since is looked for by the caller.
 */
export function decideGate(check: ScopeCheck, open: readonly Candidate[], keys: Keys): GateDecision {
  if (!check.requiresVerdict) return { kind: "clear", isVoid: false };
  if (open.length === 0) return { kind: "clear", isVoid: true };
  const { verdicts, warningId } = keys;
  const confirmationReason = keys.confirmationReason ?? check.confirmation?.reason;
  if (verdicts === undefined) return decideConfirmed(check) ?? decideOlderWay(check, keys);
  const problem = keys.namesCheck ? findProblem(check, open, verdicts) : "no-check";
  if (problem !== undefined) return { kind: "verdict-required", problem };
  if (warningId !== undefined && warningId !== check.warningId) {
    return { kind: "verdict-required", problem: "other-warning" };
  }
  const same = new Set(
    verdicts.filter(({ verdict }) => verdict === "same_scope").map(({ candidateId }) => candidateId),
  );
  const duplicates = open.filter(({ id }) => same.has(id));
  if (duplicates.length > 0 && confirmationReason === undefined) return { kind: "confirmation-required", duplicates };
  return { kind: "judged", judgements: verdicts, isDuplicate: duplicates.length > 0 };
}

/** A person has looked at what was found and wants the work all the same: nobody is asked again. */
function decideConfirmed({ confirmation }: ScopeCheck): GateDecision | undefined {
  if (confirmation === null) return undefined;
  const { verdicts, reason } = confirmation;
  if (verdicts.length === 0) return { kind: "confirmed", reason };
  const isDuplicate = verdicts.some(({ verdict }) => verdict === "same_scope");
  return { kind: "judged", judgements: verdicts, isDuplicate };
}

function decideOlderWay(check: ScopeCheck, { namesCheck, warningId, confirmationReason }: Keys): GateDecision {
  if (namesCheck || warningId === undefined || confirmationReason === undefined) {
    return { kind: "verdict-required", problem: "missing" };
  }
  if (warningId !== check.warningId) return { kind: "verdict-required", problem: "other-warning" };
  return { kind: "confirmed", reason: confirmationReason };
}

/** A verdict covers what was asked about exactly; about what is closed by now it may be silent. */
export function findProblem(
  check: ScopeCheck,
  open: readonly Candidate[],
  verdicts: readonly Judgement[],
): VerdictProblem | undefined {
  const judged = new Set(verdicts.map(({ candidateId }) => candidateId));
  const asked = new Set(check.candidates.map(({ id }) => id));
  if (judged.size < verdicts.length) return "judged-twice";
  if ([...judged].some((id) => !asked.has(id))) return "unknown-candidate";
  return open.every(({ id }) => judged.has(id)) ? undefined : "incomplete";
}

export type ScopeCheckProblem = "none" | "expired" | "used" | "other-work";

/** Why a check does not count for a start (GA2–GA5), or undefined where it does. */
export function findScopeCheckProblem(
  check: ScopeCheck | undefined,
  key: Pick<ScopeCheck, "developerId" | "kind" | "title" | "plannedId">,
  now: number,
): ScopeCheckProblem | undefined {
  if (!check || check.developerId !== key.developerId) return "none";
  if (check.kind !== key.kind || check.title !== key.title || check.plannedId !== key.plannedId) return "other-work";
  if (check.consumedAt !== null) return "used";
  return check.expiresAt <= now ? "expired" : undefined;
}
