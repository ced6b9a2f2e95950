import type { AgentId, PullId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { PullRow } from "../../storage/schema-pull.ts";
import type { Pull, PullComment, PullStatus } from "./model.ts";

export async function getPull(db: Db, id: PullId): Promise<Pull> {
  const row = await db.first(db.q.selectFrom("pull").selectAll().where("id", "=", id));
  if (!row) throw notFound();
  return pullOf(row);
}

/** One of our own, by its number. */
export async function findLocalPull(db: Db, number: number): Promise<Pull | undefined> {
  const query = db.q.selectFrom("pull").selectAll().where("host", "=", "local").where("number", "=", number);
  const row = await db.first(query);
  return row && pullOf(row);
}

export const notFound = (): Refusal =>
  new Refusal("NOT_FOUND", "No pull request has that number.", "List the pull requests and use a number from there.");

interface PullFilter {
  readonly host?: Pull["host"] | undefined;
  readonly status?: readonly PullStatus[] | undefined;
  readonly repositoryPath?: string | undefined;
  readonly branch?: string | undefined;
  readonly place?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listPulls(db: Db, filter: PullFilter): Promise<Pull[]> {
  let query = db.q.selectFrom("pull").selectAll();
  if (filter.host !== undefined) query = query.where("host", "=", filter.host);
  if (filter.status !== undefined) query = query.where("status", "in", filter.status);
  if (filter.repositoryPath !== undefined) query = query.where("repositoryPath", "=", filter.repositoryPath);
  if (filter.branch !== undefined) query = query.where("branch", "=", filter.branch);
  if (filter.place !== undefined) query = query.where("place", "=", filter.place);
  const rows = await db.all(query.orderBy("createdAt", "desc").orderBy("id", "desc").limit(filter.limit));
  return rows.map(pullOf);
}

/** The highest number that one of our own has. */
export async function findLastNumber(db: Db): Promise<number> {
  const row = await db.first(
    db.q
      .selectFrom("pull")
      .select((of) => of.fn.max("number").as("last"))
      .where("host", "=", "local"),
  );
  return Number(row?.last ?? 0);
}

/** Oldest first. */
export const listComments = (db: Db, pullId: PullId): Promise<PullComment[]> =>
  db.all(
    db.q
      .selectFrom("pullComment")
      .selectAll()
      .where("pullId", "=", pullId)
      .orderBy("createdAt")
      .orderBy("id")
      .limit(5_000),
  );

/** What people asked for on an agent's pull requests, oldest first: done, and still to do. */
export const listItemsOf = (db: Db, agentId: AgentId): Promise<PullComment[]> =>
  db.all(
    db.q
      .selectFrom("pullComment")
      .innerJoin("pull", "pull.id", "pullComment.pullId")
      .selectAll("pullComment")
      .where("pull.agentId", "=", agentId)
      .where("pullComment.item", "is not", null)
      .orderBy("pullComment.createdAt")
      .orderBy("pullComment.id")
      .limit(5_000),
  );

const pullOf = (row: PullRow): Pull => ({ ...row, isSentBack: row.isSentBack === 1 });
