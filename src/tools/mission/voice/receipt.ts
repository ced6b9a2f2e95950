import { z } from "zod";
import { TaskId } from "../../../contract/ids.ts";
import { receiptLevels } from "../../../contract/words.ts";
import {
  type CheckResult,
  type ChecksState,
  checkStates,
  checkStatuses,
  failingChecks,
} from "../../../domain/evidence/check-model.ts";
import type { Receipt } from "../../../domain/evidence/model.ts";
import type { VerifiedReceipt } from "../../../domain/evidence/verify-operations.ts";

/** How one check of the repository ended. */
export const CheckLine = z.object({
  name: z.string(),
  status: z.enum(checkStatuses),
  exit_code: z.number().int().nullable(),
  duration_ms: z.number(),
  output_hash: z.string().describe("SHA-256 of all that it said."),
  last_lines: z.string().describe("The end of what it said."),
});

export const checkLine = (check: CheckResult): z.input<typeof CheckLine> => ({
  name: check.name,
  status: check.status,
  exit_code: check.exitCode,
  duration_ms: check.durationMs,
  output_hash: check.outputHash,
  last_lines: check.lastLines,
});

const mostFiles = 50;

/** As the agent said it. */
const testsStatus = ({ metadata: { tests_status: said } }: Receipt): string | null =>
  typeof said === "string" ? said : null;

/** A receipt in short: what is needed to go on from it. */
export function receiptLine(receipt: Receipt) {
  const { added, modified, deleted } = receipt.changes;
  const files = [...added, ...modified, ...deleted];
  return {
    level: receipt.level,
    scope_match: receipt.scopeMatch,
    tests_status: testsStatus(receipt),
    checks: receipt.checks.state,
    failing_checks: failingChecks(receipt.checks).map(checkLine),
    files_changed: files.slice(0, mostFiles),
    files_changed_count: files.length,
  };
}

const Tree = z.object({ head: z.string().nullable(), digest: z.string() });

/** A receipt held against the folder it is about. */
export const VerifiedRecord = z.object({
  task_id: TaskId,
  level: z.enum(receiptLevels),
  is_stale: z.boolean(),
  stale_files: z.array(z.string()).describe("Files that are no longer what the receipt says."),
  files: z.record(z.string(), z.string().nullable()).describe("What each changed file was; null for what was deleted."),
  start: Tree,
  end: Tree,
  scope_match: z.boolean(),
  unexpected_files: z.array(z.string()),
  tests_status: z.string().nullable().describe("As the agent said it."),
  checks: z.object({ state: z.enum(checkStates), results: z.array(CheckLine) }),
  rerun: z
    .object({ state: z.enum(["done", "moved"]), results: z.array(CheckLine) })
    .nullable()
    .describe("How the checks ended just now, where it was asked for."),
});

export function verifiedRecord({
  evidence,
  receipt,
  staleFiles,
  rerun,
}: VerifiedReceipt): z.input<typeof VerifiedRecord> {
  const { changes, checks } = receipt;
  return {
    task_id: evidence.taskId,
    level: receipt.level,
    is_stale: staleFiles.length > 0,
    stale_files: [...staleFiles],
    files: changes.hashes,
    start: changes.start,
    end: changes.end,
    scope_match: receipt.scopeMatch,
    unexpected_files: receipt.unexpectedFiles,
    tests_status: testsStatus(receipt),
    checks: { state: checks.state, results: checks.results.map(checkLine) },
    rerun: rerun && { state: rerun.state, results: rerun.results.map(checkLine) },
  };
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
    ...(failed > 0 && metadata["tests_status"] === "passed" ? ["The tests were declared as passed anyway."] : []),
  ];
}
