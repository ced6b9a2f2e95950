import type { AgentId } from "../../contract/ids.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import type { Work } from "../work.ts";
import type { Matter } from "./matter-model.ts";
import { listMatters } from "./matter-operations.ts";
import { readTeamState, type StateLimits, type TeamState } from "./team-state-operations.ts";

interface TeamView {
  readonly state: TeamState;
  /** What waits for the caller. */
  readonly matters: readonly Matter[];
}

/** How the team stands, and what of it waits for the caller. */
export async function viewTeam(work: Pick<Work, "db" | "caller" | "now">, limits: StateLimits): Promise<TeamView> {
  const { db, caller, now } = work;
  const { developerId } = caller;
  return {
    state: await readTeamState(db, now, limits),
    matters: await listMatters(db, { developerId, now, limit: limits.work }),
  };
}

/** The same from a session, which shows thereby that it is alive. */
export async function lookAtTeam(work: Work, sessionId: AgentId | undefined, limits: StateLimits): Promise<TeamView> {
  await useNamedSession(work, sessionId);
  return viewTeam(work, limits);
}
