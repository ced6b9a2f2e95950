import { z } from "zod";
import { handOff } from "../../../domain/intent/handoff-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { nobodyOnline, To, Words } from "../voice/coordination-words.ts";
import { SessionId, TaskRef } from "../voice/words.ts";

export default defineTool({
  name: "handoff",
  family: "team",
  title: "Hand work over",
  summary: "Offer work to a teammate with the context you last published.",
  keywords: "transfer pass hand over work to somebody else",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    to: To,
    summary: Words(4_000).describe("Where the work stands and what comes next."),
    task_id: TaskRef.optional(),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["NOT_FOUND", "TASK_NOT_FOUND", "SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "for the night", input: { to: "$handle", summary: "The form works; its tests are missing." } }],
  async handle(input, work) {
    const { handoff, to, context, isOnline } = await handOff(work, {
      sessionId: input.session_id,
      to: input.to,
      summary: input.summary,
      taskId: input.task_id ?? null,
    });
    return tell({
      message: `The handoff is in their inbox; the work stays yours until they accept it.${isOnline ? "" : ` ${nobodyOnline}`}`,
      data: {
        handoff_id: handoff.id,
        to: to.handle,
        task_id: handoff.taskId,
        context_id: context?.id ?? null,
        context_title: context?.title ?? null,
        ...(isOnline ? {} : { to_online: false }),
      },
      ...(context === undefined
        ? { next: "Publish where the work stands with covibe_session publish_context, then hand it over again." }
        : {}),
    });
  },
});
