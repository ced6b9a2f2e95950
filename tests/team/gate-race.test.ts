import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { forEachStore, openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { type Answer, candidateIds, idOf, judgeAll, newWorker, Worker, wording, workerOf } from "./work-scene.ts";

forEachStore("starts at the same moment", (open) => {
  test.each([2, 8, 32])("[GA26] of %i agents that checked clean one begins and the others are told", async (count) => {
    const house = await open();
    const workers = await hire(house, count);
    const checks = await Promise.all(workers.map((worker) => worker.check(wording)));
    expect(checks.every((check) => check.data["requires_verdict"] === false)).toBe(true);

    const answers = await Promise.all(workers.map((worker) => worker.start(wording)));

    const [started, ...more] = answers.filter((answer) => answer.status === "ok");
    expect(more).toEqual([]);
    const told = answers.filter((answer) => answer.status === "blocked");
    expect(told).toHaveLength(count - 1);
    for (const answer of told) {
      expect(answer.data["code"]).toBe("VERDICT_REQUIRED");
      expect(candidateIds(answer)).toEqual([idOf(started as Answer)]);
    }
  });
});

test("[GA29] what another server on the same database has started is seen by the next check", async () => {
  const one = await openTestHouse("postgres");
  const other = await openTestHouse("postgres", { location: one.location });
  const bob = await newWorker(one, "bob");
  await bob.check("Warm up the memory of this server");
  const here = new Worker(other, await other.house.authenticator.identify(one.ownerToken));
  await here.check("Warm up the memory of the other server");
  for (let round = 0; round < 5; round += 1) {
    const title = `${wording} for ${["orders", "refunds", "invoices", "parcels", "coupons"][round]}`;
    const taskId = await here.begin(title);
    expect(candidateIds(await bob.check(title))).toContain(taskId);
    await here.task("complete", { task_id: taskId, result_summary: "Done." });
    expect((await bob.check(title)).data["requires_verdict"]).toBe(false);
  }
});

test("[GA29, TS20] an audit sees what another server on the same database has started a moment ago", async () => {
  const one = await openTestHouse("postgres");
  const other = await openTestHouse("postgres", { location: one.location });
  const bob = await newWorker(one, "bob");
  const ada = new Worker(other, await other.house.authenticator.identify(one.ownerToken));
  await ada.call("covibe_team", { operation: "audit_parallel_work" });
  await holdBack(one.location);
  await ada.begin(wording);
  await bob.start(wording, judgeAll(await bob.check(wording)));
  const audit = await ada.call("covibe_team", { operation: "audit_parallel_work" });
  expect(audit.data["conflicts"]).toHaveLength(1);
});

/** No entry gets its place while an older transaction is open, so no server hears of what others do. */
async function holdBack(location: string): Promise<void> {
  const client = new pg.Client(location);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  await client.query("select pg_current_xact_id()");
}

test("[GA29] two servers on one database do not both begin the same work", async () => {
  const one = await openTestHouse("postgres");
  const other = await openTestHouse("postgres", { location: one.location });
  const bob = await newWorker(one, "bob");
  const ada = new Worker(other, await other.house.authenticator.identify(one.ownerToken));
  await Promise.all([ada.check(wording), bob.check(wording)]);
  const answers = await Promise.all([ada.start(wording), bob.start(wording)]);
  expect(answers.map(({ status }) => status).sort()).toEqual(["blocked", "ok"]);
});

async function hire(house: TestHouse, count: number): Promise<Worker[]> {
  const workers = [workerOf(house)];
  while (workers.length < count) workers.push(await newWorker(house, `dev-${workers.length}`));
  return workers;
}
