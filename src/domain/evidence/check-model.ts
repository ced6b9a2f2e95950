import { z } from "zod";

export const checkStatuses = ["passed", "failed", "timed_out", "too_much_output", "not_started"] as const;

/** How one check of a repository ended. */
export const CheckResult = z.object({
  name: z.string(),
  status: z.enum(checkStatuses),
  exitCode: z.number().int().nullable(),
  durationMs: z.number(),
  outputHash: z.string(),
  lastLines: z.string(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** Where the checks of a receipt stand. Only `done` says anything about the tree. */
export const checkStates = [
  /** The repository configures none, or none could be looked for. */
  "absent",
  /** Its configuration cannot be used. */
  "unusable",
  /** No person has allowed them, or not in this wording. */
  "not_allowed",
  /** The task failed by its own account. */
  "skipped",
  "pending",
  "done",
  /** The tree or the configuration changed before they had ended. */
  "moved",
  /** They could not be carried out. */
  "given_up",
] as const;
export type ChecksState = (typeof checkStates)[number];

export const Checks = z.object({
  state: z.enum(checkStates),
  configHash: z.string().nullable(),
  results: z.array(CheckResult),
});
export type Checks = z.infer<typeof Checks>;

export const failingChecks = ({ results }: Pick<Checks, "results">): CheckResult[] =>
  results.filter(({ status }) => status !== "passed");
