import { z } from "zod";
import { Refusal } from "../../../contract/refusal.ts";
import { releaseClaims } from "../../../domain/claim/operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { ClaimRef } from "../voice/coordination-words.ts";
import { SessionId } from "../voice/words.ts";

export default defineTool({
  name: "release",
  family: "team",
  title: "Release claims",
  summary: "Give back one claim, or all of yours.",
  keywords: "unlock free file claim",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    claim_id: ClaimRef.optional(),
    all: z.boolean().optional().describe("Release everything you hold; with session_id, what that session holds."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["NOT_FOUND", "SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_INPUT"],
  examples: [
    { title: "one", input: { claim_id: "$claim" } },
    { title: "everything", input: { all: true } },
  ],
  async handle({ claim_id, all, session_id }, work) {
    if ((claim_id === undefined) === (all !== true)) {
      throw new Refusal("INVALID_INPUT", "Release one claim or all of them.", "Pass either claim_id or all: true.");
    }
    const released = await releaseClaims(work, { id: claim_id, sessionId: session_id });
    return tell({
      message: released.length === 0 ? "There was nothing to release." : "Others may take the code now.",
      data: { released: released.map(({ id }) => id) },
    });
  },
});
