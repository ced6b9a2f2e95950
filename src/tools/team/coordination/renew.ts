import { z } from "zod";
import { renewClaim } from "../../../domain/claim/operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { ClaimRef } from "../voice/coordination-words.ts";
import { SessionId, timeOf } from "../voice/words.ts";

export default defineTool({
  name: "renew",
  family: "team",
  title: "Renew a claim",
  summary: "Renew the lease of your claim.",
  keywords: "extend prolong claim lease",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({ claim_id: ClaimRef, session_id: SessionId.optional() }),
  output: TeamAnswer,
  refusals: ["NOT_FOUND", "SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "before it runs out", input: { claim_id: "$claim" } }],
  async handle({ claim_id, session_id }, work) {
    const { fence, expiresAt } = await renewClaim(work, { id: claim_id, sessionId: session_id });
    return tell({
      message: "The claim goes on.",
      data: { claim_id, fence, fencing_number: fence, expires_at: timeOf(expiresAt) },
    });
  },
});
