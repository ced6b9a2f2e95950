import type { ScopeCheckId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Work } from "../work.ts";
import { scopeEvent } from "./events.ts";
import { findProblem } from "./gate-rules.ts";
import type { Confirmation, Judgement, ScopeCheck } from "./model.ts";
import { findLatestScopeCheck, findScopeCheck, saveConfirmation } from "./scope-check-store.ts";

interface ConfirmAsk {
  readonly id: ScopeCheckId;
  /** About every candidate, or none where the reason says it all. */
  readonly verdicts: readonly Pick<Judgement, "candidateId" | "verdict">[];
  readonly reason: string;
}

/**
 * A person's word that the work of a check is to begin all the same, given by the one whose check it is. The next start
 * with the check passes with it; where the check has run out meanwhile, the next check of the same work knows of it.
 */
export async function confirmScopeCheck(
  work: Work,
  ask: ConfirmAsk,
): Promise<ScopeCheck & { confirmation: Confirmation }> {
  const check = await findScopeCheck(work.db, ask.id);
  if (!check) throw new Refusal("NOT_FOUND", "No check has that id.", nextStep("listDoubts"));
  if (check.developerId !== work.caller.developerId) {
    throw new Refusal("FORBIDDEN", "The check is another developer's.", "Only they can confirm it: ask them.");
  }
  await checkConfirmable(work, check);
  const verdicts = ask.verdicts.map((verdict) => ({ ...verdict, reason: ask.reason }));
  if (verdicts.length > 0 && findProblem(check, check.candidates, verdicts) !== undefined) {
    throw new Refusal(
      "INVALID_INPUT",
      "The verdicts do not cover the candidates of the check exactly.",
      "Judge each candidate once, or leave the verdicts out.",
    );
  }
  const confirmation: Confirmation = { reason: ask.reason, verdicts, at: work.now };
  await saveConfirmation(work.db, check, confirmation);
  work.record(
    scopeEvent.confirmed(check.id, {
      title: check.sought?.title ?? check.title,
      reason: ask.reason,
      verdicts: verdicts.map(({ candidateId, verdict }) => ({ candidate_id: candidateId, verdict })),
    }),
  );
  return { ...check, confirmation };
}

async function checkConfirmable(work: Work, check: ScopeCheck): Promise<void> {
  if (!check.requiresVerdict) {
    throw new Refusal("INVALID_STATE", "The check asks nobody about anything.", "Its work can simply be started.");
  }
  if (check.consumedAt !== null) {
    throw new Refusal("INVALID_STATE", "The work of the check has begun already.", "Nothing is left to confirm.");
  }
  if (check.expiresAt > work.now) return;
  const latest = await findLatestScopeCheck(work.db, check);
  if (latest?.id === check.id) return;
  throw new Refusal(
    "INVALID_STATE",
    "The check has run out, and the work was checked again since.",
    `Confirm its newest check instead: ${latest?.id}.`,
  );
}
