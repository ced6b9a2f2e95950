import type { WorkflowId } from "../../contract/ids.ts";
import type { Aim } from "../intent/model.ts";
import { type Container, getNamedContainer } from "../intent/operations.ts";
import { listIntents } from "../intent/queries.ts";
import type { Work } from "../work.ts";
import type { Workflow } from "../workflow/model.ts";
import { listOpenWorkstreams } from "../workflow/workstream-queries.ts";
import { queryOf } from "./gate-operations.ts";
import type { LikeWork } from "./port.ts";

const mostWorkstreams = 50;

/** The workstream a task goes into: the one that was named, else the caller's own open one that is most like it. */
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
  let best: { workstream: Workflow; score: number } | undefined;
  for (const workstream of workstreams) {
    const intent = intents.get(workstream.id);
    if (intent?.repo && aim.repo && intent.repo !== aim.repo) continue;
    const { score } = like.compare(query, {
      ...query,
      id: workstream.id,
      kind: "workstream",
      title: workstream.name,
      description: workstream.sourceContent,
      scope: intent?.scope ?? null,
      action: null,
      component: intent?.component ?? null,
      repo: intent?.repo ?? null,
      at: workstream.updatedAt,
      status: workstream.status,
    });
    if (score >= like.settings.escalateThreshold && score > (best?.score ?? 0)) best = { workstream, score };
  }
  return { workstream: best?.workstream ?? null };
}
