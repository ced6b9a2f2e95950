import type { Aim } from "../intent/model.ts";
import type { Container } from "../intent/operations.ts";
import { listIntents } from "../intent/queries.ts";
import { hasEnded } from "../lifecycle.ts";
import type { Work } from "../work.ts";
import type { Workflow } from "../workflow/model.ts";
import { findWorkflow } from "../workflow/queries.ts";
import { listOpenWorkstreams } from "../workflow/workstream-queries.ts";
import type { Found } from "./detect-operations.ts";
import { queryOf } from "./gate-operations.ts";
import type { LikeWork } from "./port.ts";

const mostWorkstreams = 50;

interface Choice {
  readonly workstream: Workflow;
  readonly score: number;
}

/**
 * The workstream that a task goes into if it names none: the caller's own open one that is most like it. One that the
 * server made to hold a task is as like it as that task is.
 */
export async function chooseContainer(
  work: Work,
  aim: Aim,
  like: LikeWork,
  alike: readonly Found[],
): Promise<Container> {
  const choices = [...(await listNamed(work, aim, like)), ...(await listMade(work, aim, alike))];
  const [best] = choices
    .filter(({ score }) => score >= like.settings.escalateThreshold)
    .sort((one, other) => other.score - one.score);
  return { workstream: best?.workstream ?? null };
}

async function listNamed(work: Work, aim: Aim, like: LikeWork): Promise<Choice[]> {
  const workstreams = await listOpenWorkstreams(work.db, work.caller.developerId, mostWorkstreams);
  if (workstreams.length === 0) return [];
  const intents = await listIntents(
    work.db,
    workstreams.map(({ id }) => id),
  );
  const query = { ...queryOf(work, aim), files: [] };
  const docs = workstreams.flatMap((workstream) => {
    const intent = intents.get(workstream.id);
    if (isElsewhere(aim, intent?.repo ?? null)) return [];
    const { id, name, sourceContent, updatedAt, status } = workstream;
    const said = { scope: intent?.scope ?? null, component: intent?.component ?? null, repo: intent?.repo ?? null };
    const about = { ...query, ...said, id, kind: "workstream" as const, title: name, description: sourceContent };
    return { ...about, action: null, at: updatedAt, status, workstream };
  });
  return like.compare(query, docs).map(({ doc, match }) => ({ workstream: doc.workstream, score: match.score }));
}

/** Only where the task inside is the caller's own, still open, and the workstream is the server's. */
async function listMade(work: Work, aim: Aim, alike: readonly Found[]): Promise<Choice[]> {
  const own = alike.filter(
    ({ doc, isSameDeveloper }) => isSameDeveloper && !hasEnded(doc.lifecycle) && !isElsewhere(aim, doc.repo),
  );
  const choices: Choice[] = [];
  for (const { doc, match } of own) {
    const workstream = doc.workflowId === null ? undefined : await findWorkflow(work.db, doc.workflowId);
    if (!workstream?.endsWithTasks || workstream.developerId !== work.caller.developerId) continue;
    if (workstream.kind === "workstream" && !hasEnded(workstream.status)) {
      choices.push({ workstream, score: match.score });
    }
  }
  return choices;
}

const isElsewhere = (aim: Aim, repo: string | null): boolean => Boolean(repo && aim.repo && repo !== aim.repo);
