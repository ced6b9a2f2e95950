import type { SelectQueryBuilder } from "kysely";
import type { Db } from "./db.ts";
import type { Tables } from "./schema.ts";

/** How many rows a query finds, counted no further than `most`: it takes as long as that, however many there are. */
export async function countUpTo<From extends keyof Tables, Row>(
  db: Db,
  most: number,
  rows: SelectQueryBuilder<Tables, From, Row>,
): Promise<number> {
  const some = rows.limit(most).as("some");
  const counted = await db.first(db.q.selectFrom(some).select((of) => of.fn.countAll<number>().as("count")));
  return Number(counted?.count ?? 0);
}
