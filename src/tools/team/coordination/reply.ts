import { z } from "zod";
import { answerAsk } from "../../../domain/message/peer-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { voiceFor } from "../voice/coordination.ts";
import { AskRef, Words } from "../voice/coordination-words.ts";
import { SessionId, timeOf } from "../voice/words.ts";

export default defineTool({
  name: "reply",
  family: "team",
  title: "Answer a question",
  summary: "Answer a question that was put to you, once.",
  keywords: "answer respond question",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    ask_id: AskRef,
    answer: Words(4_000).describe("The answer."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["NOT_FOUND", "SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "yes", input: { ask_id: "$ask", answer: "Yes, nobody else reads it." } }],
  async handle({ ask_id, answer, session_id }, work) {
    const reply = await answerAsk(work, { sessionId: session_id, askId: ask_id, answer });
    const voice = await voiceFor(work);
    const to = voice.viewer.nameOf(reply.toDeveloperId);
    return tell({
      message: "The answer is sent.",
      data: { reply_id: reply.id, ask_id, to, replied_at: timeOf(reply.createdAt) },
    });
  },
});
