import { z } from "zod";
import { announce } from "../../../domain/message/peer-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { Words } from "../voice/coordination-words.ts";
import { Branch, Repo, SessionId, timeOf } from "../voice/words.ts";

export default defineTool({
  name: "announce",
  family: "team",
  title: "Announce",
  summary: "Tell the whole team something, for a while.",
  keywords: "tell everybody news notice",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    message: Words(2_000).describe("What everyone should know."),
    repo: Repo.optional(),
    branch: Branch.optional(),
    ttl_hours: z.number().int().min(1).max(168).default(24).describe("How long it is shown; 24 if left out."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "a freeze", input: { message: "No merges to main until the release is out.", ttl_hours: 2 } }],
  async handle(input, work) {
    const announcement = await announce(work, {
      sessionId: input.session_id,
      words: input.message,
      repo: input.repo ?? null,
      branch: input.branch ?? null,
      ttlHours: input.ttl_hours,
    });
    return tell({
      message: "The team will see it.",
      data: { announcement_id: announcement.id, expires_at: timeOf(announcement.expiresAt ?? work.now) },
    });
  },
});
