import type { Db } from "../../storage/db.ts";
import type { Agent } from "../agent/model.ts";
import { listAgentsById } from "../agent/queries.ts";
import { isStale } from "../agent/session-model.ts";
import { listSessionsById } from "../agent/session-queries.ts";
import { type CrewPage, type HeldTask, listCrewIds, listHeld } from "./crew-queries.ts";
import { gatherDesks, type SessionDesk } from "./session-list-operations.ts";

/** An agent with its session, if it has one, and everything it has in hand. */
export interface CrewMember {
  readonly agent: Agent;
  readonly desk: SessionDesk | undefined;
  readonly tasks: readonly HeldTask[];
  readonly status: "working" | "idle" | "stale" | "offline";
}

/** A page of agents, each question asked once for the whole page. */
export async function listCrew(
  db: Db,
  page: CrewPage & { now: number },
): Promise<{ crew: readonly CrewMember[]; hasMore: boolean }> {
  const found = await listCrewIds(db, { ...page, limit: page.limit + 1 });
  const ids = found.slice(0, page.limit);
  const agents = await listAgentsById(db, ids);
  const sessions = await listSessionsById(db, ids);
  const named = [...sessions.values()].map((session) => ({
    ...session,
    name: agents.get(session.id)?.name ?? "",
    currentTaskId: agents.get(session.id)?.currentTaskId ?? null,
  }));
  const desks = new Map((await gatherDesks(db, named, page.now)).map((desk) => [desk.session.id, desk]));
  const held: readonly HeldTask[] = await listHeld(db, ids);
  return {
    crew: ids.flatMap((id) => {
      const agent = agents.get(id);
      if (!agent) return [];
      const member = { agent, desk: desks.get(id), tasks: held.filter(({ agentId }) => agentId === id) };
      return [{ ...member, status: statusOf(member, page.now) }];
    }),
    hasMore: found.length > page.limit,
  };
}

/** Whoever has a task in hand is at work, whatever its last heartbeat said (DT23). */
function statusOf({ agent, desk, tasks }: Omit<CrewMember, "status">, now: number): CrewMember["status"] {
  if (desk && isStale(desk.session, now)) return "stale";
  if (agent.status === "offline") return "offline";
  return tasks.length > 0 || agent.status === "busy" ? "working" : "idle";
}
