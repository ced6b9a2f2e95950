import { z } from "zod";
import type { Matter } from "../../../domain/context/matter-model.ts";
import type { Cut } from "../../../domain/context/team-model.ts";
import type { StateLimits, TeamState } from "../../../domain/context/team-state-operations.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import { ActionRecord, actionRecord } from "./matter.ts";
import {
  AuditRecord,
  auditRecord,
  ContextRecord,
  contextRecord,
  NoteRecord,
  noteRecord,
  PairRecord,
  pairRecord,
  SessionRecord,
  sessionRecord,
  WarningRecord,
  WorkRecord,
  warningRecord,
  workRecord,
} from "./records.ts";

const totals = z
  .record(z.string(), z.number().int())
  .describe("How much there is of what was cut, by key; counted up to 1,000.");

/** The team's state under the names it has on the wire (TS1). */
export const StateRecord = z.object({
  active_work: z.array(WorkRecord),
  planned_work: z.array(WorkRecord),
  recent_completions: z.array(WorkRecord),
  active_workstreams: z.array(WorkRecord),
  planned_workstreams: z.array(WorkRecord),
  risks_decisions: z.array(NoteRecord),
  recent_sessions: z.array(SessionRecord),
  stale_sessions: z.array(SessionRecord),
  overlap_warnings: z.array(WarningRecord),
  session_contexts: z.array(ContextRecord),
  next_actions: z.array(ActionRecord),
  latest_parallel_audits: z.array(AuditRecord),
  parallel_audit_conflicts: z.array(PairRecord),
  totals,
});

interface StateParts {
  readonly state: TeamState;
  readonly matters: readonly Matter[];
  readonly viewer: Viewer;
  readonly now: number;
  readonly limits: StateLimits;
}

export function stateRecord({ state, matters, viewer, now, limits }: StateParts): z.input<typeof StateRecord> {
  return {
    active_work: state.activeWork.items.map((work) => workRecord(work, viewer)),
    planned_work: state.plannedWork.items.map((work) => workRecord(work, viewer)),
    recent_completions: state.recentCompletions.items.map((work) => workRecord(work, viewer)),
    active_workstreams: state.activeWorkstreams.items.map((work) => workRecord(work, viewer)),
    planned_workstreams: state.plannedWorkstreams.items.map((work) => workRecord(work, viewer)),
    risks_decisions: state.notes.items.map((note) => noteRecord(note, viewer)),
    recent_sessions: state.recentSessions.items.map((session) => sessionRecord(session, viewer, now)),
    stale_sessions: state.staleSessions.items.map((session) => sessionRecord(session, viewer, now)),
    overlap_warnings: state.warnings.items.map((warning) => warningRecord(warning, viewer)),
    session_contexts: state.contexts.items.map((context) => contextRecord(context, viewer)),
    next_actions: matters.map((matter) => actionRecord(matter, viewer)),
    latest_parallel_audits: state.audits.map((audit) => auditRecord(audit, viewer, limits.others)),
    parallel_audit_conflicts: state.auditConflicts.slice(0, limits.work).map((pair) => pairRecord(pair, viewer)),
    totals: {
      active_work: total(state.activeWork),
      planned_work: total(state.plannedWork),
      recent_completions: total(state.recentCompletions),
      active_workstreams: total(state.activeWorkstreams),
      planned_workstreams: total(state.plannedWorkstreams),
      risks_decisions: total(state.notes),
      recent_sessions: total(state.recentSessions),
      stale_sessions: total(state.staleSessions),
      overlap_warnings: total(state.warnings),
      session_contexts: total(state.contexts),
      parallel_audit_conflicts: state.auditConflicts.length,
    },
  };
}

const total = (cut: Cut<unknown>): number => cut.total;
