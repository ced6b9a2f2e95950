import { z } from "zod";
import type { CompanionRelease } from "../../../domain/agent/port.ts";
import { recordBeat } from "../../../domain/agent/session-report-operations.ts";
import { defineTool } from "../../define.ts";
import { timeOf } from "../../time.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { Repo, SessionId } from "../voice/words.ts";

export default defineTool({
  name: "heartbeat",
  family: "team",
  title: "Send a heartbeat",
  summary: "Show that a session is alive; the companion of a machine may beat without one.",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    session_id: SessionId.optional(),
    registered_repos: z.array(Repo).max(200).optional().describe("The repositories this machine watches."),
    companion_version: z.string().min(1).max(64).optional().describe("The version of the machine's companion."),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_INPUT"],
  examples: [{ title: "still at work", input: { session_id: "$session" } }],
  observe: (input, look): Promise<CompanionRelease | null> =>
    input.companion_version === undefined ? Promise.resolve(null) : look.ports.agent.readCompanion(),
  async handle({ session_id, registered_repos = [], companion_version }, work, release) {
    const { session, registeredRepos } = await recordBeat(work, {
      sessionId: session_id,
      repositories: registered_repos,
      companionVersion: companion_version ?? null,
    });
    const isBehind = release !== null && release.version !== companion_version;
    return tell({
      message: session ? "The session is alive." : "The machine is alive.",
      data: {
        session_id: session?.id ?? null,
        last_seen_at: timeOf(work.now),
        registered_repos: registeredRepos,
        ...(release === null
          ? {}
          : {
              companion: {
                latest_version: release.version,
                tarball_sha256: release.tarballSha256,
                update_available: isBehind,
              },
            }),
      },
      next: isBehind ? "Bring the companion of this machine to companion.latest_version." : null,
    });
  },
});
