import type { Db, Query } from "../../src/storage/db.ts";
import type { TestHouse } from "../../src/testing/house.ts";

/** How SQLite goes about every query that `read` asks. */
export async function plansOf(house: TestHouse, read: (db: Db) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  await house.house.store.read(async (db) => {
    const explain = async ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => {
      const steps = await db.sql<{ detail: string }>(`explain query plan ${sql}`, parameters);
      plans.push(...steps.map(({ detail }) => `${detail}  <-  ${sql}`));
    };
    const asked = async <Row>(query: Query<Row>): Promise<Query<Row>> => {
      await explain(query.compile());
      return query;
    };
    await read({
      dialect: db.dialect,
      recordedBefore: db.recordedBefore,
      q: db.q,
      all: async (query) => db.all(await asked(query)),
      first: async (query) => db.first(await asked(query)),
      run: (query) => db.run(query),
      save: (query) => db.save(query),
      sql: async (text, parameters = []) => {
        await explain({ sql: text, parameters });
        return db.sql(text, parameters);
      },
    });
  });
  return plans;
}
