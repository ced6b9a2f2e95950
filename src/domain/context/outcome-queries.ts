import { type DeveloperId, InstanceId, isIdOf, TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Spent, TaskEnd } from "./outcome-model.ts";

interface OutcomeRange {
  readonly since: number;
  readonly until: number;
  /** Whose work the reader must not see anything of. */
  readonly hidden: readonly DeveloperId[];
}

/** Sums of more than these would not be whole; the report says so. */
export const mostRows = 50_000;
export const weekMs = 7 * 86_400_000;
/** Weeks begin on Mondays; the first day of all was a Thursday. */
export const weekOffsetMs = 3 * 86_400_000;

/** What was used in a time, each report once. Sums come as text: they may be more than a number holds. */
export async function listSpent(db: Db, { since, until, hidden }: OutcomeRange): Promise<Spent[]> {
  let spans = db.q
    .selectFrom("span")
    .select(["taskId", "sessionId", "model", "totalTokens", "costNanos"])
    .select((of) => of(of.parens("createdAt", "+", of.lit(weekOffsetMs)), "/", of.lit(weekMs)).as("week"))
    .where("createdAt", ">=", since)
    .where("createdAt", "<", until);
  if (hidden.length > 0) spans = spans.where("developerId", "not in", hidden);
  const rows = await db.all(
    db.q
      .selectFrom(spans.as("span"))
      .select(["taskId", "sessionId", "model"])
      .select((of) => [
        of.cast<string>("week", "text").as("week"),
        of.fn.countAll<number>().as("reports"),
        of.fn.count<number>("costNanos").as("priced"),
        of.cast<string | null>(of.fn.sum("totalTokens"), "text").as("tokens"),
        of.cast<string | null>(of.fn.sum("costNanos"), "text").as("cost"),
      ])
      .groupBy(["taskId", "sessionId", "model", "week"])
      .limit(mostRows),
  );
  return rows.map(({ sessionId, reports, priced, tokens, cost, ...row }) => ({
    ...row,
    agent: sessionId,
    reports: Number(reports),
    priced: Number(priced),
    tokens: BigInt(tokens ?? 0),
    costNanos: BigInt(cost ?? 0),
  }));
}

/** What became of these tasks, and of those that were reproduced in that time, whether anybody said what they used or not. */
export async function listTaskEnds(
  db: Db,
  { since, until, hidden }: OutcomeRange,
  ids: readonly string[],
): Promise<TaskEnd[]> {
  let reproduced = db.q
    .selectFrom("task")
    .innerJoin("evidence", "evidence.taskId", "task.id")
    .select(["task.id", "task.status", "evidence.level", "task.endedAt"])
    .where("evidence.level", "=", "reproduced")
    .where("task.endedAt", ">=", since)
    .where("task.endedAt", "<", until);
  if (hidden.length > 0) reproduced = reproduced.where("task.developerId", "not in", hidden);
  const ends: TaskEnd[] = await db.all(reproduced.limit(mostRows));
  const known = new Set<string>(ends.map(({ id }) => id));
  const missing = [...new Set(ids)].filter((id) => !known.has(id)).map((id) => TaskId.parse(id));
  for (let at = 0; at < missing.length; at += idsAtOnce) {
    const some = missing.slice(at, at + idsAtOnce);
    ends.push(
      ...(await db.all(
        db.q
          .selectFrom("task")
          .leftJoin("evidence", "evidence.taskId", "task.id")
          .select(["task.id", "task.status", "evidence.level", "task.endedAt"])
          .where("task.id", "in", some),
      )),
    );
  }
  return ends;
}

const idsAtOnce = 500;

/** Those of these agents that were launched or adopted, and whose work was abandoned. */
export async function listAbandoned(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const instances = ids.filter(isIdOf("agent")).map((id) => InstanceId.parse(id));
  const found = new Set<string>();
  for (let at = 0; at < instances.length; at += idsAtOnce) {
    const some = instances.slice(at, at + idsAtOnce);
    const query = db.q.selectFrom("instance").select("id").where("status", "in", fruitless).where("id", "in", some);
    for (const { id } of await db.all(query)) found.add(id);
  }
  return found;
}

/** Nothing of theirs is going to be merged. */
const fruitless = ["abandoned", "pr_closed"] as const;
