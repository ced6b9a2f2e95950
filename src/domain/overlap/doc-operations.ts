import { type AgentId, isIdOf, type WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Agent } from "../agent/model.ts";
import { listAgentsById } from "../agent/queries.ts";
import type { Intent } from "../intent/model.ts";
import { listIntents } from "../intent/queries.ts";
import { endedStatuses } from "../lifecycle.ts";
import { listSavedTasks, listTaskDigestPage, listTaskDigests, type TaskDigest } from "../task/digest-queries.ts";
import { listRepositoryPaths } from "../workflow/queries.ts";
import {
  listSavedStreams,
  listStreamDigestPage,
  listStreamDigests,
  type StreamDigest,
} from "../workflow/stream-digest-queries.ts";
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
    const streams = await listStreamDigests(db, some.filter(isIdOf("workflow")), mostText);
    docs.push(...(await taskDocs(db, tasks)), ...(await streamDocs(db, streams)));
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
export async function listStreamDocs(db: Db, page: DocPage): Promise<WorkDoc[]> {
  return streamDocs(db, await listStreamDigestPage(db, digestPage(page)));
}

/** What was saved at this moment or later, with its version. */
export async function listSavedSince(db: Db, since: number): Promise<{ id: string; version: number }[]> {
  return [...(await listSavedTasks(db, since)), ...(await listSavedStreams(db, since))];
}

async function taskDocs(db: Db, tasks: readonly TaskDigest[]): Promise<WorkDoc[]> {
  const intents = await listIntents(db, idsOf(tasks));
  const holders = await listAgentsById(
    db,
    named(tasks, ({ takenBy }) => takenBy),
  );
  const places = await listRepositoryPaths(
    db,
    named(tasks, ({ workflowId }) => workflowId),
  );
  return tasks.map((task) => taskDoc(task, intents.get(task.id), { holders, places }));
}

async function streamDocs(db: Db, streams: readonly StreamDigest[]): Promise<WorkDoc[]> {
  const intents = await listIntents(db, idsOf(streams));
  return streams.map((stream) => streamDoc(stream, intents.get(stream.id)));
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

const streamDoc = (stream: StreamDigest, intent: Intent | undefined): WorkDoc => ({
  id: stream.id,
  kind: "workstream",
  title: stream.name,
  ...saidOf(intent),
  description: stream.sourceContent,
  result: stream.statusReason,
  repo: intent?.repo ?? null,
  files: [],
  developerId: stream.developerId,
  sessionId: intent?.sessionId ?? null,
  at: stream.updatedAt,
  status: stream.status,
  lifecycle: stream.status,
  taskType: null,
  workflowId: null,
  version: stream.version,
});

const saidOf = (intent: Intent | undefined) => ({
  scope: intent?.scope ?? null,
  action: intent?.action ?? null,
  component: intent?.component ?? null,
});
