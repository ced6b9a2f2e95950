import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { LedgerEntry } from "../../src/contract/event.ts";
import { verifyHouse } from "../../src/engine/verify.ts";
import { forEachStore, freshLocation, openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { letPass, until } from "../../src/testing/waiting.ts";
import { entryAbout, keptKeys, putDurably, putRow, recordedSubjects } from "../storage/rows.ts";
import { RestlessFollower, upTo } from "./followers.ts";

const anyPause = () => Math.random() * 60;

/** Sixteen writers, each with a number of changes one after the other. */
async function writeALot(houses: readonly TestHouse[], changes: number): Promise<void> {
  const caller = houses[0]?.owner;
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    const house = houses[writer % houses.length];
    if (!house || !caller) throw new Error("no house");
    const id = await house.agent(`writer ${writer}`, caller);
    for (let change = 0; change < changes; change += 1) {
      await house.call("agent_heartbeat", { agent_id: id }, caller);
      if (change % 5 === 0) await house.refusal("agent_heartbeat", { agent_id: "ag_unknown" }, caller);
    }
  });
  await Promise.all(writers);
}

/** The number of the newest entry, once everything is in its place. */
async function endOf(houses: readonly TestHouse[]): Promise<number> {
  for (const house of houses) await house.entries("usage");
  const [first] = houses;
  if (!first) throw new Error("no house");
  const { isIntact, entries } = await verifyHouse(first.house);
  expect(isIntact).toBe(true);
  return entries;
}

test("[LG9, LG10] thirty-two followers of a SQLite store see every entry once and in order", async () => {
  const house = await openTestHouse("sqlite");
  const restless = upTo(28).map(() => new RestlessFollower(house.house, anyPause));
  const steady = upTo(4).map((): number[] => []);
  for (const seen of steady) {
    await house.house.feed.follow(0, { receive: (entries) => seen.push(...entries.map((entry) => entry.seq)) });
  }
  await writeALot([house], 30);
  const end = await endOf([house]);
  expect(end).toBeGreaterThan(1_000);
  for (const follower of restless) {
    expect(await follower.finishAt(end)).toEqual(upTo(end));
    expect(follower.reconnects).toBeGreaterThan(1);
  }
  for (const seen of steady) expect(seen).toEqual(upTo(end));
});

test("[LG9, LG10] followers of either of two PostgreSQL nodes see every entry once and in order", async () => {
  const location = freshLocation("postgres");
  const nodes = [await openTestHouse("postgres", { location }), await openTestHouse("postgres", { location })];
  const followers = nodes.flatMap((node) => upTo(8).map(() => new RestlessFollower(node.house, anyPause)));
  await writeALot(nodes, 20);
  const end = await endOf(nodes);
  expect(end).toBeGreaterThan(700);
  for (const follower of followers) {
    expect(await follower.finishAt(end)).toEqual(upTo(end));
    expect(follower.reconnects).toBeGreaterThan(1);
  }
});

forEachStore("the feed", (open, kind) => {
  test("[LG9] a follower without a cursor begins with what comes next", async () => {
    const house = await open();
    await putDurably(house, "before");
    await recordedSubjects(house);
    const seen: LedgerEntry[] = [];
    await house.house.feed.follow(undefined, { receive: (entries) => seen.push(...entries) });
    await putDurably(house, "after");
    await until(() => seen.length === 1);
    expect(seen.map((entry) => entry.subject)).toEqual(["after"]);
    expect(seen).toEqual((await house.entries()).slice(-1));
  });

  test("[LG8] a cursor beyond the end is refused", async () => {
    const house = await open();
    await expect(house.house.feed.follow(1_000, { receive: () => undefined })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
    expect(house.house.feed.followerCount).toBe(0);
  });

  test("[LG11] what was rolled back is never published", async () => {
    const house = await open();
    const seen: string[] = [];
    await house.house.feed.follow(0, { receive: (entries) => seen.push(...entries.map((entry) => entry.subject)) });
    const attempts = upTo(30).map((place) => {
      const controller = new AbortController();
      return house.house.store
        .transact(
          async (db) => {
            await putRow(db, `k${place}`);
            if (place % 3 === 0) controller.abort();
            return { value: place, entries: [entryAbout(`k${place}`)] };
          },
          { signal: controller.signal },
        )
        .catch(() => undefined);
    });
    await Promise.all(attempts);
    const kept = (await keptKeys(house)).sort();
    expect(kept).toHaveLength(20);
    await recordedSubjects(house);
    await until(() => seen.filter((subject) => subject.startsWith("k")).length >= 20);
    expect(seen.filter((subject) => subject.startsWith("k")).sort()).toEqual(kept);
  });

  test("[LG12] a follower that fails is dropped and the others miss nothing", async () => {
    const house = await open();
    const seen: string[] = [];
    const fail = () => {
      throw new Error("I cannot take it");
    };
    await house.entries();
    await house.house.feed.follow(undefined, { receive: fail });
    await house.house.feed.follow(undefined, { receive: (entries) => seen.push(...entries.map((one) => one.subject)) });
    await putDurably(house, "one");
    await putDurably(house, "two");
    await until(() => seen.length === 2);
    expect(seen).toEqual(["one", "two"]);
    expect(house.house.feed.followerCount).toBe(1);
  });

  test("[LG20] an event that cannot be stored fails its own operation and no other", async () => {
    const house = await open();
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const bad = [
      entryAbout("big", { count: 1n }),
      entryAbout("circular", circular),
      entryAbout("with \u0000"),
      entryAbout("half \ud800"),
    ];
    const put = (key: string, entry = entryAbout(key)) =>
      house.house.store.transact(async (db) => {
        await putRow(db, key);
        return { value: key, entries: [entry] };
      });
    const settled = await Promise.allSettled([
      ...upTo(4).map((place) => put(`good${place}`)),
      ...bad.map((entry, place) => put(`bad${place}`, entry)),
      put("last"),
    ]);
    expect(settled.map((one) => one.status === "fulfilled")).toEqual([
      ...[true, true, true, true],
      ...[false, false, false, false],
      true,
    ]);
    expect(await keptKeys(house)).toEqual(["good1", "good2", "good3", "good4", "last"]);
    expect((await recordedSubjects(house)).sort()).toEqual(["good1", "good2", "good3", "good4", "last"]);
    expect(await verifyHouse(house.house)).toMatchObject({ isIntact: true });
  });

  test("[LG13] an entry never stands before the one that caused it", async () => {
    const location = freshLocation(kind);
    const first = await openTestHouse(kind, { location });
    const nodes = kind === "postgres" ? [first, await openTestHouse(kind, { location })] : [first];
    let isOver = false;
    const noise = upTo(6).map(async (writer) => {
      for (let place = 0; !isOver; place += 1) await putDurably(first, `noise ${writer} ${place}`);
    });
    for (let link = 0; link < 60; link += 1) {
      const node = nodes[link % nodes.length];
      if (node) await putDurably(node, `link ${link}`);
    }
    isOver = true;
    await Promise.all(noise);
    const links = (await recordedSubjects(first)).filter((subject) => subject.startsWith("link"));
    expect(links).toEqual(Array.from({ length: 60 }, (_, link) => `link ${link}`));
  });
});

test("[LG14] a transaction that is kept open delays entries and loses none", async () => {
  const house = await openTestHouse("postgres");
  const seen: string[] = [];
  await house.entries();
  await house.house.feed.follow(undefined, { receive: (entries) => seen.push(...entries.map((one) => one.subject)) });
  const slow = await connect(house.location);
  await slow.query("begin");
  await slow.query('insert into "unsealed" ("entry") values ($1)', [JSON.stringify(entryAbout("slow"))]);
  await putDurably(house, "quick 1");
  await putDurably(house, "quick 2");
  await letPass(300, "by now they would have been sealed");
  expect(seen).toEqual([]);
  await slow.query("commit");
  await until(() => seen.length >= 3);
  expect(seen).toEqual(["slow", "quick 1", "quick 2"]);
});

test("[LG14] a stopping node leaves what it cannot seal to the next one", async () => {
  const location = freshLocation("postgres");
  const house = await openTestHouse("postgres", { location });
  const slow = await connect(location);
  await slow.query("begin");
  await slow.query("select pg_current_xact_id()");
  await putDurably(house, "left");
  await house.house.close();
  await slow.query("rollback");
  expect(await recordedSubjects(await openTestHouse("postgres", { location }))).toEqual(["left"]);
});

test("[LG15] entries that came with another server's dump are sealed", async () => {
  const location = freshLocation("postgres");
  const house = await openTestHouse("postgres", { location });
  await putDurably(house, "ours");
  await recordedSubjects(house);
  await house.house.close();
  const restorer = await connect(location);
  const foreign = `insert into "unsealed" ("xid", "entry") values ('999999999999', $1)`;
  await restorer.query(foreign, [JSON.stringify(entryAbout("theirs"))]);
  const again = await openTestHouse("postgres", { location });
  await putDurably(again, "later");
  expect(await recordedSubjects(again)).toEqual(["ours", "theirs", "later"]);
  expect(await verifyHouse(again.house)).toMatchObject({ isIntact: true });
});

async function connect(location: string): Promise<pg.Client> {
  const url = new URL(location);
  const options = `-c search_path=${url.searchParams.get("schema") ?? "public"}`;
  url.search = "";
  const client = new pg.Client({ connectionString: url.toString(), options });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
