import type { CheckResult, Checks, ChecksState } from "./check-model.ts";
import type { Receipt, ReceiptLevel } from "./model.ts";

/**
 * How much of a receipt is more than the agent's word (RC1–RC3). Claimed: the server does not know all that changed, or
 * some of it is not what was announced. Checked: it does, and all of it is. Reproduced: the repository's own checks also
 * passed, run by the server on exactly the tree that the receipt names.
 */
export function decideLevel(receipt: Pick<Receipt, "changes" | "scopeMatch" | "checks">): ReceiptLevel {
  const { changes, scopeMatch, checks } = receipt;
  if (!changes.isComplete || !scopeMatch) return "claimed";
  return checks.state === "done" && checks.results.length > 0 && failingChecks(checks).length === 0
    ? "reproduced"
    : "checked";
}

export const failingChecks = ({ results }: Pick<Checks, "results">): CheckResult[] =>
  results.filter(({ status }) => status !== "passed");

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

const sayings: Partial<Record<ChecksState, string>> = {
  unusable: "The repository's checks were not run: their configuration cannot be used.",
  not_allowed: "The repository's checks were not run: a person has to allow them with `crewdeck checks allow`.",
  pending: "The repository's checks are still being run; get_context says how they ended.",
  moved: "The tree changed before the repository's checks had ended, so they say nothing about it.",
  given_up: "The repository's checks could not be run.",
};

/** What an agent should know about its receipt, in our own words. */
export function warningsAbout({ checks, metadata }: Pick<Receipt, "checks" | "metadata">): string[] {
  const said = sayings[checks.state];
  const failed = failingChecks(checks).length;
  return [
    ...(said === undefined ? [] : [said]),
    ...(failed === 0 ? [] : [`${failed} of ${checks.results.length} checks of the repository did not pass.`]),
    ...(failed > 0 && metadata["tests_status"] === "passed" ? ["The tests were declared as passed all the same."] : []),
  ];
}
