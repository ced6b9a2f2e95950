import { z } from "zod";
import { lookBeforeClaim } from "../../../domain/claim/forecast-operations.ts";
import { longestLeaseMinutes, shortestLeaseMinutes, usualLeaseMinutes } from "../../../domain/claim/model.ts";
import { takeClaim } from "../../../domain/claim/operations.ts";
import { defineTool } from "../../define.ts";
import { block, TeamAnswer, tell, warn } from "../voice/answer.ts";
import { voiceFor } from "../voice/coordination.ts";
import { Paths, Symbols } from "../voice/coordination-words.ts";
import { Branch, Repo, SessionId, TaskRef, timeOf } from "../voice/words.ts";

const mostConflicts = 50;

export default defineTool({
  name: "claim",
  family: "team",
  title: "Claim code",
  summary: "Take files or symbols in hand for a while, alone unless you share.",
  keywords: "lock reserve file folder path edit before editing",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    repo: Repo,
    branch: Branch.optional(),
    paths: Paths.optional(),
    symbols: Symbols.optional(),
    task_id: TaskRef.optional(),
    ttl_minutes: z
      .number()
      .int()
      .min(shortestLeaseMinutes)
      .max(longestLeaseMinutes)
      .default(usualLeaseMinutes)
      .describe("How long it lasts unless renewed; 120 if left out."),
    exclusive: z.boolean().default(true).describe("False to share the code with others who hold it."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "TASK_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_INPUT", "TOO_LARGE"],
  examples: [
    {
      title: "a folder and one symbol",
      input: { repo: "shop", paths: ["src/login/**"], symbols: ["src/session.ts#verify"], ttl_minutes: 60 },
    },
  ],
  observe: ({ repo, branch = null, paths = [], symbols = [], exclusive, session_id }, look) =>
    lookBeforeClaim(look, {
      area: { repo, branch, paths, symbols },
      isExclusive: exclusive,
      sessionId: session_id,
    }),
  async handle(input, work, outlook) {
    const { repo, branch = null, paths = [], symbols = [] } = input;
    const { claim, meetings, isSharedInstead } = await takeClaim(work, {
      outlook,
      area: { repo, branch, paths, symbols },
      isExclusive: input.exclusive,
      ttlMinutes: input.ttl_minutes,
      taskId: input.task_id ?? null,
      sessionId: input.session_id,
    });
    const voice = await voiceFor(work);
    const conflicts = meetings.slice(0, mostConflicts).map((meeting) => voice.conflict(meeting));
    const subject = input.task_id ?? input.session_id ?? work.caller.developerId;
    if (claim === null) {
      return block(subject, {
        message: "Somebody else holds some of this code; nothing was claimed.",
        data: { code: "CLAIM_CONFLICT", conflicts, conflict_count: meetings.length },
        next: "Work elsewhere, ask a holder with covibe_coordination ask, or claim again with exclusive false or narrower paths.",
      });
    }
    const data = {
      claim_id: claim.id,
      fence: claim.fence,
      fencing_number: claim.fence,
      exclusive: claim.isExclusive,
      paths: claim.paths,
      symbols: claim.symbols,
      expires_at: timeOf(claim.expiresAt),
      conflicts,
      conflict_count: meetings.length,
    };
    if (isSharedInstead) {
      return tell({
        message: "Others hold this code, but your work doesn't collide with theirs, so it is shared with you.",
        data: { ...data, reason: "no_collision" },
        next: "Keep your changes apart from theirs; renew before expires_at, release when you are done.",
      });
    }
    if (!meetings.some(({ held }) => held.isExclusive)) {
      const message = meetings.length === 0 ? "The code is yours." : "The code is shared with others who share it.";
      return tell({ message, data, next: "Renew before expires_at, release when you are done." });
    }
    return warn(claim.id, {
      message: "The code is claimed, but somebody holds some of it alone.",
      data,
      next: "Agree with the holder before you change it: covibe_coordination ask.",
    });
  },
});
