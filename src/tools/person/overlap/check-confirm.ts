import { z } from "zod";
import { ScopeCheckId } from "../../../contract/ids.ts";
import { verdictWords } from "../../../contract/words.ts";
import { confirmScopeCheck } from "../../../domain/overlap/confirm-operations.ts";
import { defineTool } from "../../define.ts";
import { Time, timeOf } from "../../time.ts";

export default defineTool({
  name: "check_confirm",
  family: "person",
  title: "Confirm a start that waits",
  summary: "Say as a person that work is to begin although it may be the same as other work, and why.",
  guidance: "The agent then starts again with the same check_id and is not asked any more.",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    check_id: ScopeCheckId.describe("The check that waits."),
    reason: z.string().trim().min(10).max(2_000).describe("Why, in a sentence; it is kept."),
    verdicts: z
      .array(
        z.strictObject({
          candidate_id: z.string().min(1).max(100).describe("A candidate of the check."),
          verdict: z.enum(verdictWords).describe("Whether it is the same work."),
        }),
      )
      .max(20)
      .default([])
      .describe("One for each candidate; left out, the reason stands for all."),
  }),
  output: z.object({ check_id: ScopeCheckId, reason: z.string(), confirmed_at: Time, expires_at: Time }),
  refusals: ["NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_INPUT"],
  examples: [
    { title: "both are needed", input: { check_id: "$check", reason: "Both are wanted: one is the fallback." } },
  ],
  async handle({ check_id, reason, verdicts }, work) {
    const { confirmation, expiresAt } = await confirmScopeCheck(work, {
      id: check_id,
      reason,
      verdicts: verdicts.map(({ candidate_id, verdict }) => ({ candidateId: candidate_id, verdict })),
    });
    return { check_id, reason, confirmed_at: timeOf(confirmation.at), expires_at: timeOf(expiresAt) };
  },
});
