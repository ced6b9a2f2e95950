import { z } from "zod";
import { MessageId, ScopeCheckId } from "../../../contract/ids.ts";
import { joinScopeCheck } from "../../../domain/overlap/confirm-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "check_join",
  family: "person",
  title: "Join existing work",
  summary: "Decide that an agent works with existing work instead of starting its own.",
  guidance: "The owner of the existing work is asked to hand part of it over; the agent is told what to join.",
  effect: "change",
  callers: ["person"],
  input: z.object({
    check_id: ScopeCheckId.describe("The check that needs a decision."),
    candidate_id: z.string().min(1).max(100).describe("The existing task or workstream, a candidate of the check."),
    reason: z.string().trim().min(1).max(2_000).optional().describe("A note for the owner and the agent."),
  }),
  output: z.object({
    check_id: ScopeCheckId,
    candidate_id: z.string(),
    owner: z.string().describe("Who owns the existing work."),
    ask_id: MessageId.nullable().describe("The question to the owner; null if that is you."),
  }),
  refusals: ["NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "work with the owner", input: { check_id: "$check", candidate_id: "$candidate" } }],
  async handle({ check_id, candidate_id, reason }, work) {
    const { candidate, ask } = await joinScopeCheck(work, {
      id: check_id,
      candidateId: candidate_id,
      reason: reason ?? null,
    });
    const viewer = await readViewer(work);
    return { check_id, candidate_id, owner: viewer.of(candidate).owner, ask_id: ask?.id ?? null };
  },
});
