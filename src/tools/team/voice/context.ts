import type { DeveloperId } from "../../../contract/ids.ts";
import type { SharedContext } from "../../../domain/exchange/model.ts";
import { privateName } from "../../../domain/person/model.ts";
import type { PublicDeveloper } from "../../../domain/person/operations.ts";
import { timeOf } from "../../time.ts";

/** A published context in this family's words; of a private developer's only that there is one (SX7). */
export function contextRecord(
  context: SharedContext,
  people: ReadonlyMap<DeveloperId, PublicDeveloper>,
): Record<string, unknown> {
  const developer = people.get(context.developerId);
  const frame = {
    id: context.id,
    context_id: context.id,
    created_at: timeOf(context.createdAt),
    expires_at: timeOf(context.expiresAt),
  };
  if (developer === undefined || developer.isHidden) {
    return { ...frame, ...nothing, owner: privateName, title: privateName };
  }
  return {
    ...frame,
    owner: developer.handle,
    session_id: context.sessionId,
    repo: context.repo,
    branch: context.branch,
    title: context.title,
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
