import { z } from "zod";
import { useNamedSession } from "../../../domain/agent/session-operations.ts";
import { listMatters } from "../../../domain/context/matter-operations.ts";
import { readTeamState, type StateLimits, type TeamState } from "../../../domain/context/team-state-operations.ts";
import { readViewer } from "../../../domain/person/viewer-operations.ts";
import type { Work } from "../../../domain/work.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { type StateParts, stateRecord } from "../voice/state.ts";
import { SessionId } from "../voice/words.ts";

/** An agent pays for every word it reads: the latest tell it enough, and the totals what is beyond. */
const brief: StateLimits = { work: 20, others: 10 };

export async function gatherState(work: Pick<Work, "db" | "caller" | "now">, limits: StateLimits): Promise<StateParts> {
  const { db, caller, now } = work;
  return {
    state: await readTeamState(db, now, limits),
    matters: await listMatters(db, { developerId: caller.developerId, now, limit: limits.work }),
    viewer: await readViewer(work),
    now,
    limits,
  };
}

export default defineTool({
  name: "state",
  family: "team",
  title: "State of the team",
  summary: "See who works on what, what is planned, what was finished and what waits for you.",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({ session_id: SessionId.optional() }),
  output: TeamAnswer,
  refusals: ["FORBIDDEN", "SESSION_NOT_FOUND", "INVALID_STATE"],
  examples: [{ title: "before beginning something", input: {} }],
  async handle({ session_id }, work) {
    await useNamedSession(work, session_id);
    const parts = await gatherState(work, brief);
    const data = stateRecord(parts);
    const { state } = parts;
    const { staleSessions: stale, auditConflicts: conflicts } = state;
    const message = describe(state);
    const [firstStale] = stale.items;
    if (firstStale || conflicts.length > 0) {
      const subject = firstStale?.id ?? state.audits[0]?.id ?? work.caller.developerId;
      return warn(work, subject, { message, data, next: adviseCare(stale.total, conflicts.length) });
    }
    return tell({ message, data, next: data.next_actions[0]?.action ?? null });
  },
});

function describe({ activeWork, plannedWork, recentCompletions, staleSessions, auditConflicts }: TeamState): string {
  const parts = [
    `${activeWork.total} under way`,
    `${plannedWork.total} planned`,
    `${recentCompletions.total} finished in the last 14 days`,
    ...(staleSessions.total === 0 ? [] : [count(staleSessions.total, "stale session")]),
    ...(auditConflicts.length === 0 ? [] : [`${count(auditConflicts.length, "conflict")} in the latest audit`]),
  ];
  return `${parts.join(", ")}.`;
}

const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`;

const adviseCare = (stale: number, conflicts: number): string =>
  [
    ...(stale === 0
      ? []
      : ["Look at stale_sessions before you take over their work: ask their developer with covibe_coordination ask."]),
    ...(conflicts === 0
      ? []
      : [
          "Look at parallel_audit_conflicts before you go on with any of that work; agree with covibe_coordination ask.",
        ]),
  ].join(" ");
