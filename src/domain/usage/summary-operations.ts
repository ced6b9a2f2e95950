import { AgentId, DeveloperId, TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { findAgent } from "../agent/queries.ts";
import { getKnownDeveloper } from "../person/operations.ts";
import type { Viewer } from "../person/viewer-model.ts";
import { readViewer } from "../person/viewer-queries.ts";
import { findTask } from "../task/queries.ts";
import type { Work } from "../work.ts";
import type { Group, Grouping, SpanFilter, Sum } from "./summary-model.ts";
import { listGroups, sumSpans } from "./summary-store.ts";

interface UseSummary {
  readonly groups: readonly (Group & { readonly label: string | null })[];
  readonly total: Sum;
  /** There are more groups than were asked for. */
  readonly isCut: boolean;
  /** Somebody's use was left out because they are private. */
  readonly leavesOutPrivate: boolean;
}

interface UseAsk extends Omit<SpanFilter, "hidden" | "developerId"> {
  readonly by: Grouping;
  readonly developer?: string | undefined;
  readonly limit: number;
}

/** What was used, by what. Of private people nothing is counted for others, for a sum would tell it too (US32). */
export async function summariseUse(work: Work, { by, developer, limit, ...rest }: UseAsk): Promise<UseSummary> {
  const viewer = await readViewer(work);
  const hidden = viewer.listHidden();
  const developerId = developer === undefined ? undefined : (await getKnownDeveloper(work, developer)).id;
  const filter: SpanFilter = { ...rest, developerId, hidden };
  const found = await listGroups(work.db, filter, by, limit + 1);
  const groups = [];
  for (const group of found.slice(0, limit))
    groups.push({ ...group, ...(await nameGroup(work, by, group.key, viewer)) });
  return {
    groups,
    total: await sumSpans(work.db, filter),
    isCut: found.length > limit,
    leavesOutPrivate: hidden.length > 0,
  };
}

/** What each of these sessions has used in all. */
export async function summariseSessions(
  db: Db,
  ids: readonly AgentId[],
  now: number,
): Promise<ReadonlyMap<string, Sum>> {
  if (ids.length === 0) return new Map();
  const filter: SpanFilter = { since: 0, until: now + 1, sessionIds: ids, hidden: [] };
  const groups = await listGroups(db, filter, "session", ids.length);
  return new Map(groups.map(({ key, ...sum }) => [key ?? "", sum]));
}

/** The key as it is shown, and what people call it. */
async function nameGroup(
  work: Work,
  by: Grouping,
  key: string | null,
  viewer: Viewer,
): Promise<{ key: string | null; label: string | null }> {
  if (key === null) return { key, label: null };
  switch (by) {
    case "developer":
      return { key, label: viewer.nameOf(DeveloperId.parse(key)) };
    case "session":
      return { key, label: (await findAgent(work.db, AgentId.parse(key)))?.name ?? null };
    case "task": {
      const task = await findTask(work.db, TaskId.parse(key));
      return { key, label: task === undefined ? null : viewer.of(task).title(task.name) };
    }
    case "day": {
      const day = new Date(Number(key) * 86_400_000).toISOString().slice(0, 10);
      return { key: day, label: day };
    }
    default:
      return { key, label: key };
  }
}
