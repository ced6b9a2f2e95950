import { listAgentsById } from "../../../domain/agent/queries.ts";
import { teamStatus } from "../../../domain/intent/model.ts";
import type { TeamTask } from "../../../domain/intent/operations.ts";
import type { TeamWorkstream } from "../../../domain/intent/workstream-operations.ts";
import { hasEnded } from "../../../domain/lifecycle.ts";
import type { Found } from "../../../domain/overlap/detect-operations.ts";
import type { FileConflict, ProbableOverlap } from "../../../domain/overlap/work-operations.ts";
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
  readonly nearest: readonly Found[];
  readonly conflicts: readonly FileConflict[];
}

/** What was found, as this caller may see it. */
export async function overlapRecord(work: Work, overlap: Overlap) {
  const viewer = await readViewer(work);
  const shown = [...overlap.candidates, ...overlap.matches, ...overlap.nearest];
  const agents = await listAgentsById(
    work.db,
    shown.flatMap(({ doc }) => doc.sessionId ?? []),
  );
  const agentOf = ({ doc }: Found): string | null =>
    (doc.sessionId === null ? undefined : agents.get(doc.sessionId))?.name ?? null;
  return {
    candidates: overlap.candidates.map((found) => candidateRecord(found, agentOf(found), viewer)),
    matches: overlap.matches.map((found) => matchRecord(found, agentOf(found), viewer)),
    nearest: overlap.nearest.map((found) => nearestRecord(found, agentOf(found), viewer)),
    file_conflicts: overlap.conflicts.map((conflict) => conflictRecord(conflict, viewer)),
  };
}

/** Planned work that will probably touch the same files, with how likely both will. An estimate, and context only. */
export async function probableRecord(work: Work, probable: readonly ProbableOverlap[]) {
  const viewer = await readViewer(work);
  return probable.map(({ doc, files }) => {
    const sight = viewer.of(doc);
    return { id: doc.id, title: sight.title(doc.title), owner: sight.owner, files: files.map((file) => ({ ...file })) };
  });
}

/** Other work to look at, without a figure (GA39). */
export const similarRecords = async (work: Work, similar: readonly Found[]) =>
  (await overlapRecord(work, { candidates: [], matches: [], nearest: similar, conflicts: [] })).nearest;

/** What every list shows of other work; the work itself can be read by its id. */
function shownRecord({ doc, sharedFiles, isSameDeveloper }: Found, agent: string | null, viewer: Viewer) {
  const sight = viewer.of(doc);
  return {
    id: doc.id,
    type: doc.kind,
    title: sight.title(doc.title),
    owner: sight.owner,
    agent: sight.value(agent),
    status: teamStatus(doc.lifecycle),
    same_developer: isSameDeveloper,
    ...(sharedFiles.length === 0 ? {} : { file_overlap: sharedFiles }),
  };
}

/** Enough to see whether it matters. */
function matchRecord(found: Found, agent: string | null, viewer: Viewer) {
  const { doc, match } = found;
  return {
    ...shownRecord(found, agent, viewer),
    score: Math.round(match.score * 100) / 100,
    reason: viewer.of(doc).isHidden ? privateReason(match) : match.reasons.join("; "),
    ...(found.isActionDivergent ? { action_divergent: true } : {}),
  };
}

/** To look at, not to judge by a figure: it has no score (GA39). */
function nearestRecord(found: Found, agent: string | null, viewer: Viewer) {
  const { doc, match } = found;
  return {
    ...shownRecord(found, agent, viewer),
    tier: "context" as const,
    reason: viewer.of(doc).isHidden ? "Private work" : match.reasons.join("; ") || reasonToList(doc),
  };
}

const reasonToList = ({ lifecycle, repo }: Found["doc"]): string =>
  hasEnded(lifecycle) ? "Closed recently" : repo === null ? "Open work in your team" : "Open work in this repository";

/** Enough to judge it by. Of a private developer's work nothing is shown but how like it is (GA14). */
function candidateRecord(found: Found, agent: string | null, viewer: Viewer) {
  const { doc, match } = found;
  const sight = viewer.of(doc);
  return {
    ...matchRecord(found, agent, viewer),
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
