import { z } from "zod";
import { viewTeam } from "../../../domain/context/team-look-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { StateRecord, stateRecord } from "../../team/voice/state.ts";

const { shape } = StateRecord;

const limits = { work: 50, others: 30 };

/** What `covibe_team` state answers, for people: their looking leaves no feedback behind. */
export default defineTool({
  name: "team_state",
  family: "person",
  title: "State of the team",
  summary: "See who works on what, what is planned, what was finished and what waits for you.",
  effect: "read",
  callers: ["agent"],
  input: z.object({}),
  output: z.object({
    activeWork: shape.active_work,
    plannedWork: shape.planned_work,
    recentCompletions: shape.recent_completions,
    activeWorkstreams: shape.active_workstreams,
    plannedWorkstreams: shape.planned_workstreams,
    risksDecisions: shape.risks_decisions,
    recentSessions: shape.recent_sessions,
    staleSessions: shape.stale_sessions,
    overlapWarnings: shape.overlap_warnings,
    sessionContexts: shape.session_contexts,
    nextActions: shape.next_actions,
    latestParallelAudits: shape.latest_parallel_audits,
    parallelAuditConflicts: shape.parallel_audit_conflicts,
    totals: shape.totals,
  }),
  routes: [{ method: "GET", path: "/api/state" }],
  refusals: [],
  examples: [{ title: "at a glance", input: {} }],
  async handle(_input, work) {
    const state = stateRecord({
      ...(await viewTeam(work, limits)),
      viewer: await readViewer(work),
      now: work.now,
      limits,
    });
    return {
      activeWork: state.active_work,
      plannedWork: state.planned_work,
      recentCompletions: state.recent_completions,
      activeWorkstreams: state.active_workstreams,
      plannedWorkstreams: state.planned_workstreams,
      risksDecisions: state.risks_decisions,
      recentSessions: state.recent_sessions,
      staleSessions: state.stale_sessions,
      overlapWarnings: state.overlap_warnings,
      sessionContexts: state.session_contexts,
      nextActions: state.next_actions,
      latestParallelAudits: state.latest_parallel_audits,
      parallelAuditConflicts: state.parallel_audit_conflicts,
      totals: Object.fromEntries(Object.entries(state.totals).map(([key, total]) => [camelCase(key), total])),
    };
  },
});

const camelCase = (key: string): string => key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
