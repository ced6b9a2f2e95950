import { z } from "zod";
import { ClaimId } from "../../../contract/ids.ts";
import { releaseClaimOf } from "../../../domain/claim/operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "claim_release",
  family: "person",
  title: "Release a claim",
  summary: "Release a claim of one of your agents, or anyone's if you own the team.",
  guidance: "The agent that held it reads so with its next answer.",
  effect: "change",
  callers: ["person"],
  input: z.object({
    claim_id: ClaimId.describe("The claim."),
    reason: z.string().trim().min(1).max(2_000).optional().describe("Why; the holder reads it."),
  }),
  output: z.object({ claim_id: ClaimId, repo: z.string(), paths: z.array(z.string()), symbols: z.array(z.string()) }),
  refusals: ["NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "left behind", input: { claim_id: "$claim", reason: "The session is over." } }],
  async handle({ claim_id, reason }, work) {
    const { repo, paths, symbols } = await releaseClaimOf(work, { id: claim_id, reason: reason ?? null });
    return { claim_id, repo, paths, symbols };
  },
});
