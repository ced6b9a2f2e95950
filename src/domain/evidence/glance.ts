import type { ResultGlance } from "../result.ts";
import { failingChecks } from "./check-model.ts";
import type { Receipt } from "./model.ts";

/** What lists show of a receipt; kept beside it, so that they need not read it. */
export const glanceAt = ({ level, unexpectedFiles, checks }: Receipt): ResultGlance => ({
  level,
  outOfScope: unexpectedFiles.length,
  failedChecks: checks.state === "done" ? failingChecks(checks).length : 0,
});

/** What is done and yet not as it should be needs a person; what failed is one matter already. */
export const isDoubtful = ({ status }: Receipt, { outOfScope, failedChecks }: ResultGlance): boolean =>
  status !== "failed" && outOfScope + failedChecks > 0;
