import type { AgentId, DeveloperId } from "../../contract/ids.ts";
import type { SystemWork } from "../work.ts";
import { baseEvent, collisionEvent } from "./events.ts";
import type { Collision } from "./model.ts";
import type { MergeOrder, Outlook } from "./port.ts";
import { listCollisions } from "./queries.ts";
import { planCollisions, type Seen } from "./rules.ts";
import { deleteOldCollisions, insertCollision, saveCollision } from "./store.ts";

export type { MergeOrder, Outlook };

interface KeptOutlook {
  /** All that collides now. */
  readonly open: readonly Collision[];
  /** What is over, or no longer what was told of it. */
  readonly outdated: readonly Collision[];
}

/** Writes down what a fresh look at a repository has changed. */
export async function keepOutlook(work: SystemWork, outlook: Outlook): Promise<KeptOutlook> {
  const { repositoryPath } = outlook;
  const known = await listCollisions(work.db, { place: work.place, repositoryPath });
  const { begun, changed, moved, ended } = planCollisions(known, outlook);
  const open = new Map(known.map((one) => [one.id, one]));
  for (const seen of begun) {
    const one = await begin(work, repositoryPath, seen);
    open.set(one.id, one);
  }
  for (const { was, now } of changed) {
    const { verdict, places, baseBranch } = now;
    open.set(was.id, await saveCollision(work.db, was, { verdict, places, baseBranch, since: work.now }));
    work.record(collisionEvent.changed(was.id, { verdict, was: was.verdict, files: countFiles(now) }));
  }
  for (const { was, now } of moved) {
    open.set(was.id, await saveCollision(work.db, was, { places: now.places, baseBranch: now.baseBranch }));
  }
  for (const one of ended) {
    await saveCollision(work.db, one, { endedAt: work.now });
    open.delete(one.id);
    work.record(collisionEvent.ended(one.id, { verdict: one.verdict, lasted_ms: work.now - one.createdAt }));
  }
  return { open: [...open.values()], outdated: [...ended, ...changed.map(({ was }) => was)] };
}

async function begin(work: SystemWork, repositoryPath: string, seen: Seen): Promise<Collision> {
  const collision: Collision = {
    ...seen,
    id: work.newId("collision"),
    place: work.place,
    repositoryPath,
    since: work.now,
    told: [],
    createdAt: work.now,
    endedAt: null,
    version: 1,
  };
  await insertCollision(work.db, collision);
  work.record(collisionEvent.began(collision.id, { verdict: seen.verdict, files: countFiles(seen) }));
  return collision;
}

const countFiles = ({ places }: Seen): number => new Set(places.map(({ path }) => path)).size;

/** The latest agents that were told are remembered; those before have long left the folder. */
const mostTold = 10;

/** Notes that these agents hear of a collision. */
export async function noteTold(
  work: SystemWork,
  collision: Collision,
  agents: readonly { readonly agentId: AgentId; readonly developerId: DeveloperId }[],
): Promise<void> {
  const { verdict } = collision;
  const told = [...collision.told, ...agents.map(({ agentId }) => ({ agentId, verdict, at: work.now }))].slice(
    -mostTold,
  );
  await saveCollision(work.db, collision, { told });
  for (const { agentId, developerId } of agents) {
    const data = { verdict, developer_id: developerId, agent_id: agentId };
    work.record(collisionEvent.told(collision.id, data, [`agent:${agentId}`]));
  }
}

/** Notes that an agent hears of its base. */
export function noteBaseTold(
  work: SystemWork,
  ask: { readonly agentId: AgentId; readonly developerId: DeveloperId; readonly what: "behind" | "merged" },
): void {
  const { agentId, developerId, what } = ask;
  work.record(baseEvent.told(agentId, { what, developer_id: developerId, agent_id: agentId }, [`agent:${agentId}`]));
}

const keptMs = 30 * 24 * 3_600_000;

/** Forgets what ended long ago. */
export const forgetOldCollisions = (work: SystemWork): Promise<void> => deleteOldCollisions(work.db, work.now - keptMs);
