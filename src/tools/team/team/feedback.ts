import { z } from "zod";
import { useNamedSession } from "../../../domain/agent/session-operations.ts";
import { listFeedback } from "../../../domain/ledger/feedback-queries.ts";
import { defineTool } from "../../define.ts";
import { timeOf } from "../../time.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { Limit, SessionId } from "../voice/words.ts";

export default defineTool({
  name: "feedback",
  family: "team",
  title: "Earlier feedback",
  summary: "Read again what your developer's agents were warned about or kept from, newest first.",
  keywords: "earlier warnings blocks history again",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    feedback_type: z.enum(["warning", "block", "error", "info"]).optional().describe("Only of this type."),
    limit: Limit.default(20),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["FORBIDDEN", "SESSION_NOT_FOUND", "INVALID_STATE"],
  examples: [{ title: "the last blocks", input: { feedback_type: "block", limit: 5 } }],
  async handle({ feedback_type, limit, session_id }, work) {
    await useNamedSession(work, session_id);
    const { developerId } = work.caller;
    const found = await listFeedback(work.db, { developerId, type: feedback_type, limit });
    return tell({
      message: found.length === 0 ? "No feedback is stored." : `The latest ${found.length}, newest first.`,
      data: {
        feedback: found.map(({ type, message, requiredAction, code, subject, at }) => ({
          type,
          message,
          required_action: requiredAction,
          code,
          subject,
          created_at: timeOf(at),
        })),
      },
    });
  },
});
