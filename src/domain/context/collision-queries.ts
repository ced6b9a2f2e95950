import type { Db } from "../../storage/db.ts";
import { endedStatuses } from "../lifecycle.ts";
import type { Occupant } from "./collision-model.ts";

const mostOccupants = 1_000;

/**
 * Who works where, last seen first: sessions say it themselves, of agents that we started and of those whose task has a
 * worktree we know it.
 */
export async function listOccupants(db: Db, { place }: { readonly place: string }): Promise<Occupant[]> {
  const sessions = await db.all(
    db.q
      .selectFrom("session")
      .innerJoin("agent", "agent.id", "session.agentId")
      .select(["agent.id as agentId", "session.developerId", "agent.name", "agent.currentTaskId as taskId"])
      .select(["session.worktree as folder", "session.repo", "session.branch", "session.lastSeenAt as seenAt"])
      .where("session.endedAt", "is", null)
      .orderBy("session.lastSeenAt", "desc")
      .orderBy("session.agentId")
      .limit(mostOccupants),
  );
  const launched = await db.all(
    db.q
      .selectFrom("instance")
      // The agent of an instance has its id.
      .innerJoin("agent", "agent.id", "instance.id")
      .select(["agent.id as agentId", "instance.developerId", "agent.name", "instance.taskId"])
      .select(["instance.worktreePath as folder", "instance.branch", "agent.lastHeartbeatAt as seenAt"])
      .where("instance.place", "=", place)
      .where("instance.status", "in", live)
      .limit(mostOccupants),
  );
  const given = await db.all(
    db.q
      .selectFrom("worktree")
      .innerJoin("task", "task.worktreeId", "worktree.id")
      .innerJoin("agent", "agent.id", "task.takenBy")
      .select(["agent.id as agentId", "agent.developerId", "agent.name", "task.id as taskId"])
      .select(["worktree.path as folder", "worktree.branch", "agent.lastHeartbeatAt as seenAt"])
      .where("worktree.status", "=", "active")
      .where("task.status", "not in", endedStatuses)
      .limit(mostOccupants),
  );
  return [...sessions, ...[...launched, ...given].map((one) => ({ ...one, repo: null }))].sort(
    (one, other) => other.seenAt - one.seenAt,
  );
}

const live = ["started", "waiting_review", "pr_created"] as const;
