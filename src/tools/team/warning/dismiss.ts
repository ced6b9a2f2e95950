import { z } from "zod";
import { WarningId } from "../../../contract/ids.ts";
import { dismissWarning } from "../../../domain/overlap/warning-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { SessionId } from "../voice/words.ts";

export default defineTool({
  name: "dismiss",
  family: "team",
  title: "Dismiss a warning",
  summary: "Put a warning aside and say why; a start still asks for its verdict.",
  keywords: "ignore overlap false alarm",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    warning_id: WarningId.describe("The warning."),
    reason: z.string().trim().min(1).max(2_000).describe("Why it does not matter."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [
    {
      title: "not the same",
      input: { warning_id: "$warning", reason: "They work on another page.", session_id: "$session" },
    },
  ],
  async handle(input, work) {
    const { warning, isRepeated } = await dismissWarning(work, {
      id: input.warning_id,
      reason: input.reason,
      sessionId: input.session_id,
    });
    const data = { warning_id: warning.id, status: warning.status, reason: warning.reason };
    const next = `Go on: call covibe_${warning.kind} with operation check, or start with the check_id and the verdict it asks for.`;
    if (!isRepeated) return tell({ message: "The warning is put aside.", data, next });
    return warn(warning.id, {
      message: "The warning was dismissed before. Nothing was changed.",
      data: { code: "ALREADY_DISMISSED", ...data },
      next,
    });
  },
});
