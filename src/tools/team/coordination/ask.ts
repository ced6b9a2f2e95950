import { z } from "zod";
import { useNamedSession } from "../../../domain/agent/session-operations.ts";
import { askTeammate } from "../../../domain/message/peer-operations.ts";
import { getTeammate } from "../../../domain/person/teammate-operations.ts";
import { getTask } from "../../../domain/task/queries.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { To, Words } from "../voice/coordination-words.ts";
import { SessionId, TaskRef, timeOf } from "../voice/words.ts";

export default defineTool({
  name: "ask",
  family: "team",
  title: "Ask a teammate",
  summary: "Put a question to a teammate; whichever of their agents comes next sees it.",
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
    const session = await useNamedSession(work, input.session_id);
    const { id: to, handle } = await getTeammate(work, input.to);
    if (input.task_id !== undefined) await getTask(work.db, input.task_id);
    const message = await askTeammate(work, {
      sessionId: session?.id ?? null,
      to,
      question: input.question,
      taskId: input.task_id ?? null,
    });
    return tell({
      message: "The question waits for them.",
      data: { ask_id: message.id, to: handle, asked_at: timeOf(message.createdAt) },
      next: "Look for the answer with covibe_coordination summary.",
    });
  },
});
