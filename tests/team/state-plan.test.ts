import { expect, test } from "vitest";
import { listMatters } from "../../src/domain/context/matter-operations.ts";
import { readTeamState } from "../../src/domain/context/team-state-operations.ts";
import type { Db, Query } from "../../src/storage/db.ts";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";

/** How SQLite goes about every query that `read` asks. */
async function plansOf(house: TestHouse, read: (db: Db) => Promise<unknown>): Promise<string[]> {
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

const isWalk = (plan: string): boolean => /^SCAN (?!some|developer\b)/.test(plan) && !plan.includes(" USING ");
const isSort = (plan: string): boolean => plan.startsWith("USE TEMP B-TREE FOR ORDER BY");

test("[TS3] the state and the inbox are read from indexes: nothing is walked through or sorted as a whole", async () => {
  const house = await openTestHouse("sqlite");
  const now = Date.now();
  const { developerId } = house.owner;
  const plans = [
    ...(await plansOf(house, (db) => readTeamState(db, now, { work: 0, others: 0 }))),
    ...(await plansOf(house, (db) => listMatters(db, { developerId, now, limit: 10 }))),
    ...(await plansOf(house, (db) => listMatters(db, { now, limit: 10 }))),
  ];
  expect(plans.length).toBeGreaterThan(40);
  expect(plans.filter((plan) => isWalk(plan) || isSort(plan))).toEqual([]);
});
