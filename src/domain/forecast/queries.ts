import type { AgentId, CollisionId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { CollisionRow } from "../../storage/schema-team.ts";
import type { Collision } from "./model.ts";

const mostOpen = 5_000;

/** What collides in a repository now, the oldest first. */
export async function listCollisions(
  db: Db,
  ask: { readonly place: string; readonly repositoryPath?: string | undefined },
): Promise<Collision[]> {
  let query = db.q
    .selectFrom("collision")
    .selectAll()
    .where("endedAt", "is", null)
    .where("place", "=", ask.place)
    .orderBy("repositoryPath")
    .orderBy("since")
    .orderBy("id")
    .limit(mostOpen);
  if (ask.repositoryPath !== undefined) query = query.where("repositoryPath", "=", ask.repositoryPath);
  return (await db.all(query)).map(collisionOf);
}

/** What collides with the work in these folders, or was told to these agents, the oldest first. */
export async function listCollisionsOf(
  db: Db,
  ask: { readonly place: string; readonly folders: readonly string[]; readonly agentIds: readonly AgentId[] },
): Promise<Collision[]> {
  const { place, folders, agentIds } = ask;
  const query = db.q
    .selectFrom("collision")
    .selectAll()
    .where("endedAt", "is", null)
    .where("place", "=", place)
    .where((of) =>
      of.or([
        ...(folders.length === 0 ? [] : [of("one", "in", folders), of("other", "in", folders)]),
        ...agentIds.map((id) => of("told", "like", `%"${id}"%`)),
      ]),
    );
  return (await db.all(query.orderBy("since").orderBy("id").limit(mostOpen))).map(collisionOf);
}

export async function findCollision(db: Db, id: CollisionId): Promise<Collision | undefined> {
  const row = await db.first(db.q.selectFrom("collision").selectAll().where("id", "=", id));
  return row && collisionOf(row);
}

/** Conflicts that have lasted since before a moment, the oldest first. */
export async function listLastingConflicts(
  db: Db,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<Collision[]> {
  const query = db.q.selectFrom("collision").selectAll().where("endedAt", "is", null);
  const lasting = query.where("verdict", "=", "conflict").where("since", "<=", since).orderBy("since").limit(limit);
  return (await db.all(lasting)).map(collisionOf);
}

const collisionOf = ({ places, told, other, ...row }: CollisionRow): Collision => ({
  ...row,
  other: other === "" ? null : other,
  places: JSON.parse(places) as Collision["places"],
  told: JSON.parse(told) as Collision["told"],
});
