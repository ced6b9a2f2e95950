import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { lockFileOf, lockStore, StoreHeldError } from "../../src/storage/lock.ts";
import { freshLocation, openTestHouse } from "../../src/testing/house.ts";
import { startProgram } from "../crash/program.ts";

const me = (home: string) => ({ pid: process.pid, startedAt: "2026-01-01T00:00:00.000Z", home });

function heldBy(file: string): unknown {
  try {
    lockStore(file, me("/elsewhere")).release();
    return null;
  } catch (error) {
    return error instanceof StoreHeldError ? error.holder : error;
  }
}

test("[ST20] a second process is refused and told who holds the store", async () => {
  const file = lockFileOf(freshLocation("sqlite"));
  const home = dirname(file);
  const holder = startProgram("hold", { file, home });
  expect(await holder.waitForLines(1)).toEqual([{ held: true }]);
  expect(heldBy(file)).toEqual({ pid: holder.process.pid, home, startedAt: expect.stringMatching(/^\d{4}-/) });
  expect(heldBy(file)).toMatchObject({ pid: holder.process.pid });
  holder.process.stdin?.end();
  await holder.ended;
  expect(heldBy(file)).toBeNull();
});

test("[ST20] the same process cannot take a store twice, and its first hold survives the attempt", async () => {
  const file = lockFileOf(freshLocation("sqlite"));
  const lock = lockStore(file, me("/here"));
  expect(heldBy(file)).toEqual(me("/here"));
  const rival = startProgram("hold", { file, home: "/there" });
  expect(await rival.waitForLines(1)).toEqual([{ held: false, holder: me("/here") }]);
  lock.release();
  lock.release();
  expect(heldBy(file)).toBeNull();
});

test("[ST20] a lock that cannot be made is not mistaken for one that is held", () => {
  const file = lockFileOf(freshLocation("sqlite"));
  writeFileSync(file, "");
  expect(() => lockStore(join(file, "inside"), me("/"))).toThrow(/ENOTDIR|EEXIST/);
});

test("[ST19] the lock's files can be read by their owner only", () => {
  const file = lockFileOf(freshLocation("sqlite"));
  const lock = lockStore(file, me("/here"));
  for (const path of [file, `${file}.json`]) expect(statSync(path).mode & 0o777).toBe(0o600);
  lock.release();
  expect(existsSync(`${file}.json`)).toBe(false);
});

test("[ST21] the hold goes with a process that is killed", async () => {
  const file = lockFileOf(freshLocation("sqlite"));
  for (let round = 0; round < 3; round += 1) {
    const holder = startProgram("hold", { file, home: "/there" });
    expect(await holder.waitForLines(1)).toEqual([{ held: true }]);
    await holder.kill();
  }
  expect(heldBy(file)).toBeNull();
});

test("[ST21] of six starters exactly one wins, and the others name it", async () => {
  const file = lockFileOf(freshLocation("sqlite"));
  const dead = startProgram("hold", { file, home: "/dead" });
  await dead.waitForLines(1);
  await dead.kill();
  const starters = Array.from({ length: 6 }, () => startProgram("hold", { file, home: "/there" }));
  const answers = await Promise.all(starters.map(async (starter) => (await starter.waitForLines(1))[0]));
  const winner = answers.findIndex((answer) => (answer as { held: boolean }).held);
  const losers = answers.filter((_, place) => place !== winner);
  expect(losers).toHaveLength(5);
  expect(losers).toEqual(
    losers.map(() => ({ held: false, holder: expect.objectContaining({ pid: starters[winner]?.process.pid }) })),
  );
});

test("[ST15] six processes that open a new file at once end up with one schema and one team", async () => {
  const location = freshLocation("sqlite");
  const openers = Array.from({ length: 6 }, () => startProgram("open", { location }));
  const answers = await Promise.all(openers.map(async (opener) => (await opener.waitForLines(1))[0]));
  expect(answers.filter((answer) => (answer as { hasToken: boolean }).hasToken)).toHaveLength(1);
  await Promise.all(openers.map((opener) => opener.ended));
  const { house } = await openTestHouse("sqlite", { location });
  expect(await house.store.read((db) => db.all(db.q.selectFrom("team").select("id")))).toHaveLength(1);
});
