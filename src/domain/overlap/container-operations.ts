import type { WorkflowId } from "../../contract/ids.ts";
import type { Aim } from "../intent/model.ts";
import { type Container, getNamedContainer } from "../intent/operations.ts";
import { listIntents } from "../intent/queries.ts";
import type { Work } from "../work.ts";
import { listOpenWorkstreams } from "../workflow/workstream-queries.ts";
import { queryOf } from "./gate-operations.ts";
import type { LikeWork } from "./port.ts";

const mostWorkstreams = 50;

/**
 * The workstream a task goes into: the one that was named, else the caller's own open one that is most like it. Those
 * that the server made for a single task are not asked for others.
 */
export async function chooseContainer(
  work: Work,
  aim: Aim,
  workstreamId: WorkflowId | undefined,
  like: LikeWork,
): Promise<Container> {
  if (workstreamId !== undefined) return getNamedContainer(work, workstreamId);
  const workstreams = await listOpenWorkstreams(work.db, work.caller.developerId, mostWorkstreams);
  const intents = await listIntents(
    work.db,
    workstreams.map(({ id }) => id),
  );
  const query = { ...queryOf(work, aim), files: [] };
  const docs = workstreams.flatMap((workstream) => {
    const intent = intents.get(workstream.id);
    if (intent?.repo && aim.repo && intent.repo !== aim.repo) return [];
    const { id, name, sourceContent, updatedAt, status } = workstream;
    const said = { scope: intent?.scope ?? null, component: intent?.component ?? null, repo: intent?.repo ?? null };
    const about = { ...query, ...said, id, kind: "workstream" as const, title: name, description: sourceContent };
    return { ...about, action: null, at: updatedAt, status, workstream };
  });
  const [best] = like
    .compare(query, docs)
    .filter(({ match }) => match.score >= like.settings.escalateThreshold)
    .sort((one, other) => other.match.score - one.match.score);
  return { workstream: best?.doc.workstream ?? null };
}
