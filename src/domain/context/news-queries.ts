import type { AgentId, DeveloperId, MessageId, NoteId, TaskId, WorkflowId } from "../../contract/ids.ts";
import type { messageStatuses, OneOf } from "../../contract/words.ts";
import type { Db } from "../../storage/db.ts";
import type { HeardPlace } from "./news-model.ts";

const mostAgents = 500;
/** Of finished work only the latest still gets news. */
const mostTasks = 100;

export async function listOwnAgentIds(db: Db, developerId: DeveloperId): Promise<AgentId[]> {
  const query = db.q.selectFrom("agent").select("id").where("developerId", "=", developerId);
  return (await db.all(query.orderBy("createdAt", "desc").limit(mostAgents))).map(({ id }) => id);
}

interface OwnTask {
  readonly id: TaskId;
  readonly workflowId: WorkflowId | null;
}

/** What these agents have taken or started in their sessions, the latest first, whether it is finished or not. */
export async function listTasksOf(db: Db, agentIds: readonly AgentId[]): Promise<OwnTask[]> {
  if (agentIds.length === 0) return [];
  const all = db.q.selectFrom("task").select(["task.id", "task.workflowId"]).orderBy("task.updatedAt", "desc");
  const taken = await db.all(all.where("task.takenBy", "in", agentIds).limit(mostTasks));
  const started = await db.all(
    all
      .innerJoin("intent", "intent.subjectId", "task.id")
      .where("intent.sessionId", "in", agentIds)
      .where("task.takenBy", "is", null)
      .limit(mostTasks),
  );
  return [...taken, ...started];
}

/** What a developer does without naming an agent, the latest first. */
export async function listTasksWithoutAgent(db: Db, developerId: DeveloperId): Promise<OwnTask[]> {
  return db.all(
    db.q
      .selectFrom("task")
      .leftJoin("intent", "intent.subjectId", "task.id")
      .select(["task.id", "task.workflowId"])
      .where("task.developerId", "=", developerId)
      .where("task.takenBy", "is", null)
      .where("intent.sessionId", "is", null)
      .where("task.startedAt", "is not", null)
      .orderBy("task.updatedAt", "desc")
      .limit(mostTasks),
  );
}

/** What is to be told of a message between agents. */
export async function findLetter(
  db: Db,
  id: MessageId,
): Promise<{ senderId: AgentId | null; subject: string | null; status: OneOf<typeof messageStatuses> } | undefined> {
  return db.first(db.q.selectFrom("message").select(["senderId", "subject", "status"]).where("id", "=", id));
}

export async function findIssue(db: Db, id: NoteId): Promise<{ summary: string; taskId: TaskId | null } | undefined> {
  return db.first(db.q.selectFrom("note").select(["summary", "taskId"]).where("id", "=", id));
}

/** Up to where an agent has heard what concerns it. */
export async function findHeard(db: Db, agentId: AgentId): Promise<HeardPlace | undefined> {
  return db.first(db.q.selectFrom("heard").select(["seq", "fromSeq", "callKey"]).where("agentId", "=", agentId));
}
