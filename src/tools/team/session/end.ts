import { z } from "zod";
import { endSession } from "../../../domain/ending/agent-operations.ts";
import { defineTool } from "../../define.ts";
import { timeOf } from "../../time.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { SessionId } from "../voice/words.ts";
import { Summary } from "./summary.ts";

export default defineTool({
  name: "end",
  family: "team",
  title: "End a session",
  summary: "End your session; what it holds goes back to the queue.",
  keywords: "stop finish leave sign off",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({ session_id: SessionId, summary: Summary.optional() }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "at the end", input: { session_id: "$session", summary: "The order list has pages." } }],
  async handle({ session_id, summary }, work) {
    const end = await endSession(work, session_id, summary ?? null);
    if (end.kind === "ended-before") {
      return warn(session_id, {
        message: "The session had ended already.",
        data: { session_id, ended_at: timeOf(end.endedAt), tasks_released: 0 },
        next: "Start a new one with covibe_session, operation start, if there is more to do.",
      });
    }
    return tell({
      message: "The session has ended.",
      data: { session_id, ended_at: timeOf(work.now), tasks_released: end.tasksReleased },
    });
  },
});
