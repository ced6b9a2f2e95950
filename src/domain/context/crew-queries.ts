import type { AgentId, DeveloperId, TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { endedStatuses, type Lifecycle } from "../lifecycle.ts";

export interface CrewPage {
  /** One agent alone. */
  readonly id?: AgentId | undefined;
  /** Those that are connected or whose session is open, or those that have gone. */
  readonly isGone: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A page of agents, last heard of first. A session that has fallen silent is open until it is ended (SN6). */
export async function listCrewIds(db: Db, page: CrewPage): Promise<AgentId[]> {
  let query = db.q
    .selectFrom("agent")
    .leftJoin("session", "session.agentId", "agent.id")
    .select("agent.id")
    .orderBy("agent.lastHeartbeatAt", "desc")
    .orderBy("agent.id")
    .limit(page.limit)
    .offset(page.offset);
  if (page.id !== undefined) query = query.where("agent.id", "=", page.id);
  else {
    query = query.where((of) => {
      const isOpen = of.and([of("session.agentId", "is not", null), of("session.endedAt", "is", null)]);
      const isHere = of.or([of("agent.status", "!=", "offline"), isOpen]);
      return page.isGone ? of.not(isHere) : isHere;
    });
  }
  return (await db.all(query)).map(({ id }) => id);
}

/** A task that an agent has in hand. */
export interface HeldTask {
  readonly id: TaskId;
  readonly name: string;
  readonly status: Lifecycle;
  readonly developerId: DeveloperId;
  readonly agentId: AgentId;
  readonly since: number;
}

/** Statuses of work that somebody is at. */
const inHand: readonly Lifecycle[] = ["preparing", "active", "paused", "blocked"];

const mostHeld = 500;

/** What these agents have taken and what they have started in their sessions, last changed first. */
export async function listHeld(db: Db, agentIds: readonly AgentId[]): Promise<HeldTask[]> {
  if (agentIds.length === 0) return [];
  const taken = await db.all(
    db.q
      .selectFrom("task")
      .select(["id", "name", "status", "developerId", "takenBy as agentId", "startedAt", "updatedAt"])
      .where("takenBy", "in", agentIds)
      .where("status", "not in", endedStatuses)
      .$narrowType<{ agentId: AgentId }>()
      .limit(mostHeld),
  );
  const started = await db.all(
    db.q
      .selectFrom("task")
      .innerJoin("intent", "intent.subjectId", "task.id")
      .select(["task.id", "task.name", "task.status", "task.developerId", "task.startedAt", "task.updatedAt"])
      .select("intent.sessionId as agentId")
      .where("task.status", "in", inHand)
      .where("task.takenBy", "is", null)
      .where("intent.sessionId", "in", agentIds)
      .$narrowType<{ agentId: AgentId }>()
      .limit(mostHeld),
  );
  return [...taken, ...started]
    .sort((one, other) => other.updatedAt - one.updatedAt)
    .map(({ startedAt, updatedAt, ...task }) => ({ ...task, since: startedAt ?? updatedAt }));
}
