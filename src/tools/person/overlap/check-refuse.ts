import { z } from "zod";
import { ScopeCheckId } from "../../../contract/ids.ts";
import { refuseScopeCheck } from "../../../domain/overlap/confirm-operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "check_refuse",
  family: "person",
  title: "Refuse a start",
  summary: "Decide that work that needs a decision should not start, and say why.",
  guidance: "The agent reads the reason with its next answer; the check can no longer be used.",
  effect: "change",
  callers: ["person"],
  input: z.object({
    check_id: ScopeCheckId.describe("The check that needs a decision."),
    reason: z.string().trim().min(1).max(2_000).describe("Why; the agent reads it."),
  }),
  output: z.object({ check_id: ScopeCheckId, reason: z.string() }),
  refusals: ["NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "a duplicate", input: { check_id: "$check", reason: "Ada finishes this today." } }],
  async handle({ check_id, reason }, work) {
    await refuseScopeCheck(work, { id: check_id, reason });
    return { check_id, reason };
  },
});
