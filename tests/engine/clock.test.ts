import { expect, test } from "vitest";
import { AgentId } from "../../src/contract/ids.ts";
import { sweepFuture, sweepLiveness, watchClock } from "../../src/engine/keepers/sweeps.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, openStillHouse } from "../domain/still-house.ts";
import { session, take } from "../team/coordination-scene.ts";
import { act } from "../team/session-scene.ts";
import { alone, workerOf } from "../team/work-scene.ts";

const day = 24 * 3_600_000;
const minute = 60_000;

/** Everything a store dates into the future, by the table and column it is in. */
async function latest(house: TestHouse): Promise<Record<string, number>> {
  const columns = [
    "agent.lastHeartbeatAt",
    "session.lastSeenAt",
    "codeClaim.expiresAt",
    "scopeCheck.expiresAt",
    "sharedContext.expiresAt",
  ];
  const found: Record<string, number> = {};
  for (const name of columns) {
    const [table, column] = name.split(".");
    const [row] = await house.house.store.read((db) =>
      db.sql<{ at: number | string | null }>(`select max("${column}") as "at" from "${table}"`),
    );
    found[name] = Number(row?.at) - house.clock.now();
  }
  return found;
}

async function liveADay(house: TestHouse): Promise<string> {
  const id = await session(house);
  await take(house, ["src/login/**"], { ttl_minutes: 30 });
  await workerOf(house).check(alone);
  await act(house, "publish_context", { title: "Login", repo: "shop", summary: "Half done.", ttl_hours: 4 });
  return id;
}

const withinTheirTime = {
  "agent.lastHeartbeatAt": 0,
  "session.lastSeenAt": 0,
  "codeClaim.expiresAt": 30 * minute,
  "scopeCheck.expiresAt": 10 * minute,
  "sharedContext.expiresAt": 4 * 60 * minute,
};

forEachStillStore("a clock that was ahead", (open) => {
  test("[DU19] and is set right leaves nothing that lasts longer than if it were made now", async () => {
    const house = await open();
    house.clock.advance(30 * day);
    await liveADay(house);
    house.clock.advance(-30 * day);
    expect(Math.min(...Object.values(await latest(house)))).toBeGreaterThan(29 * day);
    await sweepFuture(house.house);
    expect(await latest(house)).toEqual(withinTheirTime);
  });

  test("[DU19] is noticed when it is set back, and silence counts again", async () => {
    const house = await open();
    const watch = watchClock(house.house);
    house.clock.advance(30 * day);
    await watch();
    const id = await liveADay(house);
    house.clock.advance(-30 * day);
    await watch();
    expect(await latest(house)).toEqual(withinTheirTime);
    const sweep = () => sweepLiveness({ ...house.house, startedAt: house.clock.now() - day });
    await sweep();
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "online" });
    house.clock.advance(31 * minute);
    await sweep();
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "offline" });
  });

  test("[DU19] nothing is shortened while the clock is right", async () => {
    const house = await open();
    await liveADay(house);
    house.clock.advance(minute);
    const before = await latest(house);
    await sweepFuture(house.house);
    expect(await latest(house)).toEqual(before);
  });
});

test("[DU19] who is connected stays alive when the clock is set back", async () => {
  const house = await openStillHouse("sqlite");
  const watch = watchClock(house.house);
  const { presence } = house.house;
  house.clock.advance(30 * day);
  await watch();
  const id = AgentId.parse(await house.agent("Ada"));
  presence.called(id, house.owner.developerId, presence.open());
  await presence.write(house.house);
  house.clock.advance(-30 * day);
  await watch();
  house.clock.advance(5 * minute);
  await sweepLiveness({ ...house.house, startedAt: house.clock.now() - day });
  expect(await house.call("agent_get", { id })).toMatchObject({ status: "online" });
});
