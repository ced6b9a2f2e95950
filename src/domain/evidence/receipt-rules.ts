import type { ReceiptLevel } from "../result.ts";
import { type Checks, type ChecksState, failingChecks } from "./check-model.ts";
import type { Receipt } from "./model.ts";

/**
 * How much of a receipt is more than the agent's word (RC1–RC3). Self-reported: the server does not know all that
 * changed, or some of it is not what was announced. Verified: it does, and all of it is. Reproduced: the repository's own
 * checks also passed, run by the server on exactly the tree that the receipt names.
 */
export function decideLevel(receipt: Pick<Receipt, "changes" | "scopeMatch" | "checks">): ReceiptLevel {
  const { changes, scopeMatch, checks } = receipt;
  if (!changes.isComplete || !scopeMatch) return "self-reported";
  return checks.state === "done" && checks.results.length > 0 && failingChecks(checks).length === 0
    ? "reproduced"
    : "verified";
}

/** Whether the checks of a repository are to be run for a task that ends now. */
export function decideChecks(
  configured: { readonly configHash: string; readonly problem: string | null } | undefined,
  ask: { status: Receipt["status"]; allowedHash: string | undefined; isComplete: boolean },
): Checks {
  const configHash = configured?.configHash ?? null;
  const stay = (state: ChecksState): Checks => ({ state, configHash, results: [] });
  if (!configured || !ask.isComplete) return stay("absent");
  if (configured.problem !== null) return stay("unusable");
  if (configured.configHash !== ask.allowedHash) return stay("not_allowed");
  return stay(ask.status === "failed" ? "skipped" : "pending");
}
