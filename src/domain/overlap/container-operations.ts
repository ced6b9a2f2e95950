import type { WorkflowId } from "../../contract/ids.ts";
import type { Aim } from "../intent/model.ts";
import { getNamedContainer, type Container } from "../intent/operations.ts";
import { listIntents } from "../intent/queries.ts";
import type { Work } from "../work.ts";
import type { Workflow } from "../workflow/model.ts";
import { listOpenStreams } from "../workflow/stream-queries.ts";
import { queryOf } from "./gate-operations.ts";
import type { LikeWork } from "./port.ts";

const mostStreams = 50;

/** The workstream a task goes into: the one that was named, else the caller's own open one that is most like it. */
export async function chooseContainer(
  work: Work,
  aim: Aim,
  workstreamId: WorkflowId | undefined,
  like: LikeWork,
): Promise<Container> {
  if (workstreamId !== undefined) return getNamedContainer(work, workstreamId);
  const streams = await listOpenStreams(work.db, work.caller.developerId, mostStreams);
  const intents = await listIntents(
    work.db,
    streams.map(({ id }) => id),
  );
  const query = { ...queryOf(work, aim), files: [] };
  let best: { stream: Workflow; score: number } | undefined;
  for (const stream of streams) {
    const intent = intents.get(stream.id);
    if (intent?.repo && aim.repo && intent.repo !== aim.repo) continue;
    const { score } = like.compare(query, {
      ...query,
      id: stream.id,
      kind: "workstream",
      title: stream.name,
      description: stream.sourceContent,
      scope: intent?.scope ?? null,
      action: null,
      component: intent?.component ?? null,
      repo: intent?.repo ?? null,
      at: stream.updatedAt,
      status: stream.status,
    });
    if (score >= like.settings.escalateThreshold && score > (best?.score ?? 0)) best = { stream, score };
  }
  return { stream: best?.stream ?? null };
}
