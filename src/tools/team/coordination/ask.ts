import { z } from "zod";
import { askTeammate } from "../../../domain/message/peer-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { nobodyOnline, To, Words } from "../voice/coordination-words.ts";
import { SessionId, TaskRef, timeOf } from "../voice/words.ts";

export default defineTool({
  name: "ask",
  family: "team",
  title: "Ask a teammate",
  summary: "Put a question to a teammate; whichever of their agents comes next sees it.",
  keywords: "question teammate",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    to: To,
    question: Words(4_000).describe("What you want to know."),
    task_id: TaskRef.optional(),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["NOT_FOUND", "TASK_NOT_FOUND", "SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "who decides", input: { to: "$handle", question: "May I rename the session cookie?" } }],
  async handle(input, work) {
    const { message, to, isOnline } = await askTeammate(work, {
      sessionId: input.session_id,
      to: input.to,
      question: input.question,
      taskId: input.task_id ?? null,
    });
    return tell({
      message: isOnline ? "The question is in their inbox." : `The question is in their inbox. ${nobodyOnline}`,
      data: {
        ask_id: message.id,
        to: to.handle,
        asked_at: timeOf(message.createdAt),
        ...(isOnline ? {} : { to_online: false }),
      },
      next: "Wait for the answer with covibe_session wait, or go on and look with covibe_coordination summary.",
    });
  },
});
