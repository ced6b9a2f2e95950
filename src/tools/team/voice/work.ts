import { teamStatus } from "../../../domain/intent/model.ts";
import type { TeamTask } from "../../../domain/intent/operations.ts";
import type { TeamWorkstream } from "../../../domain/intent/workstream-operations.ts";
import type { Found } from "../../../domain/overlap/detect-operations.ts";
import type { FileConflict } from "../../../domain/overlap/work-operations.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import type { Work } from "../../../domain/work.ts";
import { timeOf, timeOrNull } from "./words.ts";

/** How work, and what is like it, is shown to an agent. */

export function taskRecord({ task, intent }: TeamTask) {
  return {
    id: task.id,
    title: task.name,
    description: task.description,
    status: teamStatus(task.status),
    workstream_id: task.workflowId,
    session_id: intent?.sessionId ?? null,
    scope: intent?.scope ?? null,
    action: intent?.action ?? null,
    component: intent?.component ?? null,
    priority: intent?.priority ?? null,
    task_type: intent?.taskType ?? null,
    repo: intent?.repo ?? null,
    branch: intent?.branch ?? null,
    target_files: task.files,
    result_summary: task.outcome,
    started_at: timeOrNull(task.startedAt),
    created_at: timeOf(task.createdAt),
    updated_at: timeOf(task.updatedAt),
  };
}

export function workstreamRecord({ workstream, intent }: TeamWorkstream) {
  return {
    id: workstream.id,
    title: workstream.name,
    description: workstream.sourceContent,
    status: teamStatus(workstream.status),
    session_id: intent?.sessionId ?? null,
    scope: intent?.scope ?? null,
    action: intent?.action ?? null,
    component: intent?.component ?? null,
    priority: intent?.priority ?? null,
    repo: intent?.repo ?? null,
    branch: intent?.branch ?? null,
    auto_created: intent?.isContainer ?? false,
    result_summary: workstream.status === "done" ? workstream.statusReason : null,
    created_at: timeOf(workstream.createdAt),
    updated_at: timeOf(workstream.updatedAt),
  };
}

interface Overlap {
  readonly candidates: readonly Found[];
  readonly matches: readonly Found[];
  readonly conflicts: readonly FileConflict[];
}

/** What was found, as this caller may see it. */
export async function overlapRecord(work: Work, overlap: Overlap) {
  const viewer = await readViewer(work);
  return {
    candidates: overlap.candidates.map((found) => candidateRecord(found, viewer)),
    matches: overlap.matches.map((found) => matchRecord(found, viewer)),
    file_conflicts: overlap.conflicts.map((conflict) => conflictRecord(conflict, viewer)),
  };
}

/** Enough to see whether it matters; the work itself can be read by its id. */
function matchRecord({ doc, match, ...found }: Found, viewer: Viewer) {
  const sight = viewer.of(doc);
  return {
    id: doc.id,
    type: doc.kind,
    title: sight.title(doc.title),
    owner: sight.owner,
    status: teamStatus(doc.lifecycle),
    score: Math.round(match.score * 100) / 100,
    reason: sight.isHidden ? privateReason(match) : match.reasons.join("; "),
    same_developer: found.isSameDeveloper,
    ...(found.sharedFiles.length === 0 ? {} : { file_overlap: found.sharedFiles }),
    ...(found.isActionDivergent ? { action_divergent: true } : {}),
  };
}

/** Enough to judge it by. Of a private developer's work nothing is shown but how like it is (GA14). */
function candidateRecord(found: Found, viewer: Viewer) {
  const { doc, match } = found;
  const sight = viewer.of(doc);
  return {
    ...matchRecord(found, viewer),
    reasons: sight.isHidden ? [privateReason(match)] : [...match.reasons],
    scope: sight.value(doc.scope),
    repo: sight.value(doc.repo),
    task_type: sight.value(doc.taskType),
  };
}

const privateReason = (match: Found["match"]): string =>
  match.tier === "identical" ? "Same title or ticket" : "Much in common with private work";

const subjectKeys = { target: "task_id", dirty: "session_id", unpushed: "session_id", claim: "claim_id" } as const;

/** The files are the caller's own too, so they may be named; whose they are besides may have to stay hidden (GA14). */
function conflictRecord(conflict: FileConflict, viewer: Viewer) {
  const { source, files, action, isActionDivergent } = conflict;
  const sight = viewer.of(conflict);
  return {
    source,
    [subjectKeys[source]]: sight.value(conflict.subjectId),
    owner: sight.owner,
    same_developer: sight.isOwn,
    files,
    ...(source === "target" ? { action: sight.value(action) } : {}),
    ...(isActionDivergent && !sight.isHidden ? { action_divergent: true } : {}),
  };
}
