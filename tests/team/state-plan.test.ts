import { expect, test } from "vitest";
import { listMatters } from "../../src/domain/context/matter-operations.ts";
import { readTeamState } from "../../src/domain/context/team-state-operations.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { plansOf } from "../storage/query-plans.ts";

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
