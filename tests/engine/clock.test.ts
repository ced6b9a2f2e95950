import { expect, test } from "vitest";
import { AgentId } from "../../src/contract/ids.ts";
import { openDeckSession } from "../../src/domain/person/deck-operations.ts";
import { requestDevice } from "../../src/domain/person/grant-operations.ts";
import { currentGuesses } from "../../src/domain/person/grant-rules.ts";
import { sweepFuture, sweepLiveness, sweepTokenUse, watchClock } from "../../src/engine/keepers/sweeps.ts";
import { transactAsSystem } from "../../src/engine/system-work.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, opening, openStillHouse } from "../domain/still-house.ts";
import { coordinate, session, take } from "../team/coordination-scene.ts";
import { act } from "../team/session-scene.ts";
import { alone, workerOf } from "../team/work-scene.ts";

const day = 24 * 3_600_000;
const minute = 60_000;

/** Everything a store dates into the future, by the table and column it is in. What expires is taken from the schema. */
async function latest(house: TestHouse): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  await house.house.store.read(async (db) => {
    const tables = await db.sql<{ name: string }>(expiring[db.dialect]);
    const columns = tables.map(({ name }) => `${name}.expiresAt`);
    for (const column of ["agent.lastHeartbeatAt", "session.lastSeenAt", "token.lastUsedAt", ...columns]) {
      const [table, name] = column.split(".");
      const [row] = await db.sql<{ at: number | string | null }>(`select max("${name}") as "at" from "${table}"`);
      found[column] = Number(row?.at) - house.clock.now();
    }
  });
  return found;
}

/** When a finding needs another look is a date that a person chose. */
const expiring = {
  sqlite: `select t."name" from sqlite_schema t, pragma_table_info(t."name") c
    where t."type" = 'table' and t."name" <> 'finding' and c."name" = 'expiresAt'`,
  postgres: `select "table_name" as "name" from information_schema.columns
    where "table_schema" = current_schema() and "table_name" <> 'finding' and "column_name" = 'expiresAt'`,
};

async function liveADay(house: TestHouse): Promise<string> {
  const id = await session(house);
  await take(house, ["src/login/**"], { ttl_minutes: 30 });
  await workerOf(house).check(alone);
  await act(house, "publish_context", { title: "Login", repo: "shop", summary: "Half done.", ttl_hours: 4 });
  await coordinate(house, "announce", { message: "Main is frozen.", ttl_hours: 2 });
  await house.call("token_create", { label: "guest", expires_in_days: 60 });
  const { store, sources, authenticator } = house.house;
  await transactAsSystem(store, sources, async (work) => {
    await openDeckSession(work, house.owner, "browser");
    await requestDevice(work, { machineName: "laptop", agents: ["codex"] });
  });
  await authenticator.identify(house.ownerToken);
  await sweepTokenUse(house.house);
  return id;
}

const withinTheirTime = {
  "agent.lastHeartbeatAt": 0,
  "session.lastSeenAt": 0,
  "codeClaim.expiresAt": 30 * minute,
  "scopeCheck.expiresAt": 10 * minute,
  "sharedContext.expiresAt": 4 * 60 * minute,
  "message.expiresAt": 2 * 60 * minute,
  "deviceGrant.expiresAt": 10 * minute,
  "token.expiresAt": 60 * day,
  "token.lastUsedAt": 0,
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

test("[DU19] a token that ends is not let in by what was remembered of it while the clock was ahead", async () => {
  const house = await openStillHouse("sqlite");
  const { authenticator } = house.house;
  const { token } = await house.call<{ token: string }>("token_create", { label: "guest", expires_in_days: 1 });
  house.clock.advance(30 * day);
  const { token: later } = await house.call<{ token: string }>("token_create", { label: "later", expires_in_days: 1 });
  await authenticator.identify(later);
  house.clock.advance(-30 * day);
  await sweepFuture(house.house);
  house.clock.advance(day);
  for (const text of [token, later]) {
    await expect(authenticator.identify(text)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  }
});

test("[DU19, DF8] wrong codes that a clock was ahead for keep nobody out once it is right", () => {
  const [now, tooMany] = [opening, { since: opening + 30 * day, count: 10 }];
  expect(currentGuesses(tooMany, now)).toEqual({ since: now, count: 0 });
  expect(currentGuesses({ since: now - minute, count: 10 }, now)).toEqual({ since: now - minute, count: 10 });
});
