import type { SharedContext } from "../../../domain/exchange/model.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import { timeOf } from "../../time.ts";

/** A published context in this family's words; of a private developer's only that there is one (SX7). */
export function contextRecord(context: SharedContext, viewer: Viewer): Record<string, unknown> {
  const sight = viewer.of(context);
  const frame = {
    id: context.id,
    context_id: context.id,
    owner: sight.owner,
    title: sight.title(context.title),
    created_at: timeOf(context.createdAt),
    expires_at: timeOf(context.expiresAt),
  };
  if (sight.isHidden) return { ...frame, ...nothing };
  return {
    ...frame,
    session_id: context.sessionId,
    repo: context.repo,
    branch: context.branch,
    summary: context.summary,
    files_touched: context.files,
    next_actions: context.nextActions,
    blockers: context.blockers,
    task_ids: context.taskIds,
  };
}

const nothing = {
  session_id: null,
  repo: null,
  branch: null,
  summary: "",
  files_touched: [],
  next_actions: [],
  blockers: [],
  task_ids: [],
};
