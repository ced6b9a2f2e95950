import { type AgentId, isIdOf, type WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Agent } from "../agent/model.ts";
import { listAgentsById } from "../agent/queries.ts";
import type { Intent } from "../intent/model.ts";
import { listIntents } from "../intent/queries.ts";
import { endedStatuses } from "../lifecycle.ts";
import { listTaskDigestPage, listTaskDigests, type TaskDigest } from "../task/digest-queries.ts";
import { listRepositoryPaths } from "../workflow/queries.ts";
import {
  listWorkstreamDigestPage,
  listWorkstreamDigests,
  type WorkstreamDigest,
} from "../workflow/workstream-digest-queries.ts";
import { recentMs, type WorkDoc } from "./work-doc.ts";

/** Ids for one statement: databases limit how many values they take at once. */
const idsAtOnce = 400;

/** Comparison reads no more of a text than this. */
const mostText = 500;

/** Tasks and workstreams among these; containers are not compared, their tasks are. */
export async function readDocs(db: Db, ids: readonly string[]): Promise<WorkDoc[]> {
  const docs: WorkDoc[] = [];
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const some = ids.slice(at, at + idsAtOnce);
    const tasks = await listTaskDigests(db, some.filter(isIdOf("task")), mostText);
    const workstreams = await listWorkstreamDigests(db, some.filter(isIdOf("workflow")), mostText);
    docs.push(...(await taskDocs(db, tasks)), ...(await workstreamDocs(db, workstreams)));
  }
  return docs;
}

interface DocPage {
  readonly after: string;
  readonly now: number;
  readonly limit: number;
}

const digestPage = ({ after, now, limit }: DocPage) => ({
  after,
  limit,
  ended: { statuses: endedStatuses, since: now - recentMs },
  mostText,
});

/** A page of all tasks that are compared, by id. */
export async function listTaskDocs(db: Db, page: DocPage): Promise<WorkDoc[]> {
  return taskDocs(db, await listTaskDigestPage(db, digestPage(page)));
}

/** A page of all workstreams that are compared, by id. */
export async function listWorkstreamDocs(db: Db, page: DocPage): Promise<WorkDoc[]> {
  return workstreamDocs(db, await listWorkstreamDigestPage(db, digestPage(page)));
}

async function taskDocs(db: Db, tasks: readonly TaskDigest[]): Promise<WorkDoc[]> {
  const intents = await listIntents(db, idsOf(tasks));
  const holders = await listAgentsById(
    db,
    named(tasks, ({ takenBy }) => takenBy),
  );
  const places = await listRepositoryPaths(
    db,
    named(tasks, ({ id, workflowId }) => ((intents.get(id)?.repo ?? null) === null ? workflowId : null)),
  );
  return tasks.map((task) => taskDoc(task, intents.get(task.id), { holders, places }));
}

async function workstreamDocs(db: Db, workstreams: readonly WorkstreamDigest[]): Promise<WorkDoc[]> {
  const intents = await listIntents(db, idsOf(workstreams));
  return workstreams.map((workstream) => workstreamDoc(workstream, intents.get(workstream.id)));
}

const idsOf = (digests: readonly { readonly id: string }[]): string[] => digests.map(({ id }) => id);

const named = <Digest, Id>(digests: readonly Digest[], idOf: (digest: Digest) => Id | null): Id[] => [
  ...new Set(digests.flatMap((digest) => idOf(digest) ?? [])),
];

interface Around {
  readonly holders: ReadonlyMap<AgentId, Agent>;
  readonly places: ReadonlyMap<WorkflowId, string | null>;
}

/** Held work is its holder's; the agent that holds it is the session it is done in. */
const taskDoc = (task: TaskDigest, intent: Intent | undefined, { holders, places }: Around): WorkDoc => ({
  id: task.id,
  kind: "task",
  title: task.name,
  ...saidOf(intent),
  description: task.description,
  result: task.outcome,
  repo: intent?.repo ?? (task.workflowId === null ? null : (places.get(task.workflowId) ?? null)),
  files: task.files,
  developerId: (task.takenBy === null ? undefined : holders.get(task.takenBy)?.developerId) ?? task.developerId,
  sessionId: task.takenBy ?? intent?.sessionId ?? null,
  at: task.endedAt ?? task.updatedAt,
  status: task.status,
  lifecycle: task.status,
  taskType: intent?.taskType ?? null,
  workflowId: task.workflowId,
  version: task.version,
});

const workstreamDoc = (workstream: WorkstreamDigest, intent: Intent | undefined): WorkDoc => ({
  id: workstream.id,
  kind: "workstream",
  title: workstream.name,
  ...saidOf(intent),
  description: workstream.sourceContent,
  result: workstream.statusReason,
  repo: intent?.repo ?? null,
  files: [],
  developerId: workstream.developerId,
  sessionId: intent?.sessionId ?? null,
  at: workstream.updatedAt,
  status: workstream.status,
  lifecycle: workstream.status,
  taskType: null,
  workflowId: null,
  version: workstream.version,
});

const saidOf = (intent: Intent | undefined) => ({
  scope: intent?.scope ?? null,
  action: intent?.action ?? null,
  component: intent?.component ?? null,
});
