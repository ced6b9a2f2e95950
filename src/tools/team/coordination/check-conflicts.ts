import { z } from "zod";
import { AgentId } from "../../../contract/ids.ts";
import { useNamedSession } from "../../../domain/agent/session-operations.ts";
import { listForecasts } from "../../../domain/context/collision-operations.ts";
import { listOthersAt } from "../../../domain/intent/presence-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { voiceFor } from "../voice/coordination.ts";
import { Paths } from "../voice/coordination-words.ts";
import { Branch, Repo, SessionId } from "../voice/words.ts";

const mostConflicts = 50;

export default defineTool({
  name: "check_conflicts",
  family: "team",
  title: "Check for conflicts",
  summary: "See who holds, means to change or has changed these files, and what of yours would conflict with theirs.",
  keywords: "who holds owns file merge conflict else changes",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    repo: Repo,
    branch: Branch.optional(),
    paths: Paths,
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_INPUT", "TOO_LARGE"],
  examples: [{ title: "before an edit", input: { repo: "shop", paths: ["src/login/form.ts"] } }],
  async handle({ repo, branch = null, paths, session_id }, work) {
    const session = await useNamedSession(work, session_id);
    const sessionId = session?.id ?? null;
    const { claims, presences, isCut } = await listOthersAt(work, {
      at: { repo, branch, patterns: paths },
      evidence: ["claim", "target", "dirty", "unpushed"],
      sessionId,
      ownTasks: "of-session",
      most: mostConflicts,
    });
    const voice = await voiceFor(work);
    // An agent that we started is known by its token.
    const agentIds = [sessionId, work.caller.instanceId].flatMap((id) => (id === null ? [] : AgentId.parse(id)));
    const forecasts = await listForecasts(work, { agentIds, patterns: paths });
    const data = {
      conflicts: claims.slice(0, mostConflicts).map((meeting) => voice.conflict(meeting)),
      conflict_count: claims.length,
      file_conflicts: presences.map((presence) => voice.fileConflict(presence, paths)),
      forecasts: forecasts.map((forecast) => voice.forecast(forecast)),
      truncated: isCut || claims.length > mostConflicts,
    };
    const colliding = forecasts.filter(({ verdict }) => verdict === "conflict" || verdict === "symbol");
    if (claims.length + presences.length + colliding.length === 0) {
      const moot = forecasts.find(({ verdict }) => verdict === "moot");
      if (moot !== undefined) {
        return tell({
          message: `${moot.baseBranch ?? "The base"} may already do what you are doing there.`,
          data,
          next: "Check whether your work is still needed: crewdeck behind names the commit.",
        });
      }
      const message =
        forecasts.length === 0 ? "Nobody is there." : "Your changes are close to others' and still merge.";
      return tell({ message, data });
    }
    return warn(sessionId ?? work.caller.developerId, {
      message: "Others are at work there.",
      data,
      next: "Agree with them first (covibe_coordination ask), or work elsewhere; then claim what you change.",
    });
  },
});
