import { z } from "zod";
import { lookAtTeam } from "../../../domain/context/team-look-operations.ts";
import { mostCounted } from "../../../domain/context/team-model.ts";
import type { StateLimits, TeamState } from "../../../domain/context/team-state-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { stateRecord } from "../voice/state.ts";
import { SessionId } from "../voice/words.ts";

/** An agent pays for every word it reads: the latest tell it enough, and the totals what is beyond. */
const brief: StateLimits = { work: 20, others: 10 };

export default defineTool({
  name: "state",
  family: "team",
  title: "State of the team",
  summary: "See who works on what, what is planned, what was finished and what waits for you.",
  keywords: "who is working doing on what overview status dashboard active planned work now",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({ session_id: SessionId.optional() }),
  output: TeamAnswer,
  refusals: ["FORBIDDEN", "SESSION_NOT_FOUND", "INVALID_STATE"],
  examples: [{ title: "before beginning something", input: {} }],
  async handle({ session_id }, work) {
    const found = await lookAtTeam(work, session_id, brief);
    const data = stateRecord({ ...found, viewer: await readViewer(work), now: work.now, limits: brief });
    const { state } = found;
    const { staleSessions: stale, auditConflicts: conflicts } = state;
    const message = describe(state);
    const [firstStale] = stale.items;
    if (firstStale || conflicts.length > 0) {
      const subject = firstStale?.id ?? state.audits[0]?.id ?? work.caller.developerId;
      return warn(subject, { message, data, next: adviseCare(stale.total, conflicts.length) });
    }
    return tell({ message, data, next: data.next_actions[0]?.action ?? null });
  },
});

function describe({ activeWork, plannedWork, recentCompletions, staleSessions, auditConflicts }: TeamState): string {
  const parts = [
    `${amount(activeWork.total)} active`,
    `${amount(plannedWork.total)} planned`,
    `${amount(recentCompletions.total)} completed in the last 14 days`,
    ...(staleSessions.total === 0 ? [] : [count(staleSessions.total, "stale session")]),
    ...(auditConflicts.length === 0 ? [] : [`${count(auditConflicts.length, "conflict")} in the latest audit`]),
  ];
  return `${parts.join(", ")}.`;
}

/** Counted no further than that: the number alone would be told as a fact. */
const amount = (total: number): string =>
  total >= mostCounted ? `${mostCounted.toLocaleString("en")}+` : String(total);

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
