import { z } from "zod";
import { SharedContextId } from "../../../contract/ids.ts";
import { revokeContext } from "../../../domain/exchange/operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { SessionId } from "../voice/words.ts";

export default defineTool({
  name: "revoke_context",
  family: "team",
  title: "Withdraw a context",
  summary: "Take back a context that you have published.",
  keywords: "withdraw unpublish delete",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    context_id: SharedContextId.describe("A published context, e.g. the one a handoff names."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "NOT_FOUND"],
  examples: [{ title: "one of yours", input: { context_id: "$context", session_id: "$session" } }],
  async handle({ context_id, session_id }, work) {
    const data = { context_id };
    const isRevoked = await revokeContext(work, { id: context_id, sessionId: session_id });
    if (isRevoked) return tell({ message: "The context is withdrawn.", data });
    return warn(context_id, {
      message: "The context was already withdrawn, replaced or expired.",
      data,
      next: "List the active ones with covibe_session, operation get_context.",
    });
  },
});
