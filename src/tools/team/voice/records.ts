import { z } from "zod";
import { isStale } from "../../../domain/agent/session-model.ts";
import {
  type AuditPair,
  type AuditReport,
  isRunning,
  type TeamContext,
  type TeamNote,
  type TeamSession,
  type TeamWarning,
  type TeamWork,
  type WorkRef,
} from "../../../domain/context/team-model.ts";
import { teamStatus, teamStatuses } from "../../../domain/intent/model.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import { timeOf, timeOrNull } from "../../time.ts";

/** How the team's records are written. Of a private developer's nothing is shown but that there is something (TS8). */

const Kind = z.enum(["task", "workstream", "mission", "workflow"]);

const hideable = z.string().nullable();

export const WorkRecord = z.object({
  id: z.string(),
  task_id: z.string().optional().describe("Of a task, its id."),
  type: Kind,
  title: z.string(),
  status: z.enum(teamStatuses),
  developer: z.string(),
  session_id: hideable,
  workstream_id: z.string().nullable(),
  scope: hideable,
  action: hideable,
  component: hideable,
  repo: hideable,
  branch: hideable,
  priority: hideable,
  task_type: hideable,
  auto_created: z.boolean(),
  result_summary: hideable,
  created_at: z.string(),
  updated_at: z.string(),
});

export function workRecord(work: TeamWork, viewer: Viewer): z.input<typeof WorkRecord> {
  const sight = viewer.of(work);
  return {
    id: work.id,
    ...(work.kind === "task" ? { task_id: work.id } : {}),
    type: work.kind,
    title: sight.title(work.title),
    status: teamStatus(work.status),
    developer: sight.owner,
    session_id: sight.value(work.sessionId),
    workstream_id: work.kind === "workstream" ? work.id : work.workflowId,
    scope: sight.value(work.scope),
    action: sight.value(work.action),
    component: sight.value(work.component),
    repo: sight.value(work.repo),
    branch: sight.value(work.branch),
    priority: sight.value(work.priority),
    task_type: sight.value(work.taskType),
    auto_created: work.isContainer,
    result_summary: sight.value(work.result),
    created_at: timeOf(work.createdAt),
    updated_at: timeOf(work.updatedAt),
  };
}

export const SessionRecord = z.object({
  id: z.string(),
  session_id: z.string(),
  agent_name: z.string(),
  developer: z.string(),
  status: z.enum(["active", "stale", "ended"]),
  agent_type: hideable,
  provider: hideable,
  model: hideable,
  repo: hideable,
  branch: hideable,
  started_at: z.string(),
  last_seen_at: z.string(),
  ended_at: z.string().nullable(),
});

export function sessionRecord(session: TeamSession, viewer: Viewer, now: number): z.input<typeof SessionRecord> {
  const sight = viewer.of(session);
  return {
    id: session.id,
    session_id: session.id,
    agent_name: sight.title(session.name),
    developer: sight.owner,
    status: session.endedAt !== null ? "ended" : isStale(session, now) ? "stale" : "active",
    agent_type: sight.value(session.agentType),
    provider: sight.value(session.provider),
    model: sight.value(session.model),
    repo: sight.value(session.repo),
    branch: sight.value(session.branch),
    started_at: timeOf(session.createdAt),
    last_seen_at: timeOf(session.lastSeenAt),
    ended_at: timeOrNull(session.endedAt),
  };
}

export const NoteRecord = z.object({
  id: z.string(),
  kind: z.string(),
  text: z.string(),
  developer: z.string(),
  task_id: z.string().nullable(),
  workstream_id: z.string().nullable(),
  needs_person: z.boolean(),
  created_at: z.string(),
});

export const noteRecord = (note: TeamNote, viewer: Viewer): z.input<typeof NoteRecord> => ({
  id: note.id,
  kind: note.kind,
  text: viewer.of(note).title(note.text),
  developer: viewer.of(note).owner,
  task_id: note.taskId,
  workstream_id: note.workflowId,
  needs_person: note.isOpen,
  created_at: timeOf(note.createdAt),
});

export const WarningRecord = z.object({
  id: z.string(),
  warning_id: z.string(),
  type: z.string(),
  title: z.string(),
  status: z.string(),
  developer: z.string(),
  subject_id: z.string().nullable(),
  matches: z.number().int().describe("How much work it is like."),
  created_at: z.string(),
});

export const warningRecord = (warning: TeamWarning, viewer: Viewer): z.input<typeof WarningRecord> => ({
  id: warning.id,
  warning_id: warning.id,
  type: warning.kind,
  title: viewer.of(warning).title(warning.title),
  status: warning.status,
  developer: viewer.of(warning).owner,
  subject_id: warning.subjectId,
  matches: warning.matches,
  created_at: timeOf(warning.createdAt),
});

export const ContextRecord = z.object({
  id: z.string(),
  context_id: z.string(),
  title: z.string(),
  developer: z.string(),
  session_id: hideable,
  repo: hideable,
  branch: hideable,
  created_at: z.string(),
  expires_at: z.string(),
});

export function contextRecord(context: TeamContext, viewer: Viewer): z.input<typeof ContextRecord> {
  const sight = viewer.of(context);
  return {
    id: context.id,
    context_id: context.id,
    title: sight.title(context.title),
    developer: sight.owner,
    session_id: sight.value(context.sessionId),
    repo: sight.value(context.repo),
    branch: sight.value(context.branch),
    created_at: timeOf(context.createdAt),
    expires_at: timeOf(context.expiresAt),
  };
}

const RefRecord = z.object({
  id: z.string(),
  type: Kind,
  title: z.string(),
  status: z.enum(teamStatuses),
  developer: z.string(),
});

const refRecord = (ref: WorkRef, viewer: Viewer): z.input<typeof RefRecord> => ({
  id: ref.id,
  type: ref.kind,
  title: viewer.of(ref).title(ref.title),
  status: teamStatus(ref.status),
  developer: viewer.of(ref).owner,
});

export const PairRecord = z.object({
  relation: z.enum(["active_vs_active", "active_vs_completed", "completed_vs_completed"]),
  one: RefRecord,
  other: RefRecord,
  score: z.number().describe("How likely it is the same work, 0 to 1."),
  reasons: z.array(z.string()),
});

export function pairRecord({ one, other, score, reasons }: AuditPair, viewer: Viewer): z.input<typeof PairRecord> {
  const runningSides = [one, other].filter(({ status }) => isRunning(status)).length;
  return {
    relation:
      (["completed_vs_completed", "active_vs_completed", "active_vs_active"] as const)[runningSides] ??
      "active_vs_active",
    one: refRecord(one, viewer),
    other: refRecord(other, viewer),
    score: Math.round(score * 100) / 100,
    // Reasons quote words of both sides.
    reasons: viewer.of(one, other).list(reasons),
  };
}

export const AuditRecord = z.object({
  id: z.string(),
  developer: z.string().describe("Who ran it."),
  compared: z.number().int(),
  conflicts: z.array(PairRecord),
  omitted: z.number().int().describe("How many more there were."),
  created_at: z.string(),
});

export const auditRecord = (
  audit: AuditReport,
  viewer: Viewer,
  most = audit.data.pairs.length,
): z.input<typeof AuditRecord> => ({
  id: audit.id,
  developer: viewer.of(audit).owner,
  compared: audit.data.compared,
  conflicts: audit.data.pairs.slice(0, most).map((pair) => pairRecord(pair, viewer)),
  omitted: audit.data.omitted + Math.max(0, audit.data.pairs.length - most),
  created_at: timeOf(audit.createdAt),
});
