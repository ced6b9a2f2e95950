import { z } from "zod";
import { receiptLevels } from "../../../contract/words.ts";
import type { ResultGlance } from "../../../domain/result.ts";

/** How far a result can be trusted, at a glance. */
export const ResultRecord = z
  .object({
    level: z
      .enum(receiptLevels)
      .describe("self-reported, verified (git agrees) or reproduced (the repository's checks passed)."),
    out_of_scope_count: z.number().int().describe("Changed files outside the announced areas."),
    failing_check_count: z.number().int().describe("Checks of the repository that did not pass."),
  })
  .nullable()
  .describe("null until the task is done.");

export const resultRecord = (result: ResultGlance | undefined): z.input<typeof ResultRecord> =>
  result === undefined
    ? null
    : {
        level: result.level,
        out_of_scope_count: result.outOfScope,
        failing_check_count: result.failedChecks,
      };
