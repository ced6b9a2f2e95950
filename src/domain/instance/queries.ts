import type { DeveloperId, InstanceId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { InstanceRow } from "../../storage/schema-review.ts";
import type { Instance, InstanceRun, InstanceStatus, InstanceType } from "./model.ts";

export async function findInstance(db: Db, id: InstanceId): Promise<Instance | undefined> {
  const row = await db.first(db.q.selectFrom("instance").selectAll().where("id", "=", id));
  return row && instanceOf(row);
}

export async function getInstance(db: Db, id: InstanceId): Promise<Instance> {
  const instance = await findInstance(db, id);
  if (!instance) throw noInstance();
  return instance;
}

const noInstance = (): Refusal => new Refusal("INSTANCE_NOT_FOUND", "No instance has that id.");

interface InstanceFilter {
  readonly type?: InstanceType | undefined;
  readonly status?: readonly InstanceStatus[] | undefined;
  readonly parentId?: InstanceId | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

/** Newest first. */
export async function listInstances(db: Db, filter: InstanceFilter): Promise<Instance[]> {
  const { type, status, parentId, limit, offset = 0 } = filter;
  let query = db.q.selectFrom("instance").selectAll().orderBy("createdAt", "desc").orderBy("id");
  query = query.limit(limit).offset(offset);
  if (type !== undefined) query = query.where("type", "=", type);
  if (status !== undefined) query = query.where("status", "in", status);
  if (parentId !== undefined) query = query.where("parentId", "=", parentId);
  return (await db.all(query)).map(instanceOf);
}

const liveStatuses = ["started", "waiting_review", "pr_created"] as const;

/** Whom a developer's agent in this folder was taken for, newest first, as far as that is not over: a coder stays given up. */
export async function listAdopted(
  db: Db,
  ask: { developerId: DeveloperId; place: string; worktreePath: string; type: InstanceType },
): Promise<Instance[]> {
  const rows = await db.all(
    db.q
      .selectFrom("instance")
      .selectAll()
      .where("origin", "=", "adopted")
      .where("developerId", "=", ask.developerId)
      .where("place", "=", ask.place)
      .where("worktreePath", "=", ask.worktreePath)
      .where("type", "=", ask.type)
      .where("status", "in", [...liveStatuses, ...(ask.type === "coding" ? (["abandoned"] as const) : [])])
      .orderBy("createdAt", "desc"),
  );
  return rows.map(instanceOf);
}

/** Programs of this server's that are not known to have ended, oldest first. */
export async function listLaunched(db: Db, place: string): Promise<Instance[]> {
  const rows = await db.all(
    db.q
      .selectFrom("instance")
      .selectAll()
      .where("origin", "=", "launched")
      .where("place", "=", place)
      .where("status", "in", liveStatuses)
      .orderBy("createdAt"),
  );
  return rows.map(instanceOf);
}

const instanceOf = ({ run, ...row }: InstanceRow): Instance => ({
  ...row,
  run: run === null ? null : (JSON.parse(run) as InstanceRun),
});
