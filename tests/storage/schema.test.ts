import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { verifyStore } from "../../src/domain/ledger/operations.ts";
import { verifyHouse } from "../../src/engine/verify.ts";
import { migrations } from "../../src/storage/migrations/all.ts";
import { restoreStore } from "../../src/storage/restore.ts";
import { forEachStore, freshLocation, openTestHouse } from "../../src/testing/house.ts";
import { frozen } from "./frozen-migrations.ts";

const hashOf = (statements: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(statements)).digest("hex").slice(0, 16);

test("[ST30] each migration has the hash that was noted when it became part of a version", () => {
  expect(
    Object.fromEntries(
      migrations.map(({ name, statements }) => [
        name,
        `${hashOf(statements("sqlite"))} ${hashOf(statements("postgres"))}`,
      ]),
    ),
  ).toEqual(frozen);
});

forEachStore("schema", (open) => {
  test("[ST31] a store as the migrations make it has no faults", async () => {
    const house = await open();
    expect(await verifyHouse(house.house)).toMatchObject({ isIntact: true, problems: [] });
  });

  test.each([
    { what: "a view", act: `create view "peek" as select * from "token"`, problem: "the view peek is not Crewdeck's" },
    { what: "a table", act: `create table "extra" ("id" text)`, problem: "the table extra is not Crewdeck's" },
    {
      what: "another column",
      act: `alter table "token" add column "extra" text`,
      problem: "the table token was changed",
    },
    { what: "a missing table", act: `drop table "notice"`, problem: "the table notice is missing" },
  ])("[ST31] verification names $what", async ({ act, problem }) => {
    const house = await open();
    await house.house.store.transact(async (db) => {
      await db.sql(act);
      return { value: null, entries: [] };
    });
    const { isIntact, problems } = await verifyHouse(house.house);
    expect(isIntact).toBe(false);
    expect(problems).toContain(problem);
  });
});

const snoop = `create trigger "snoop" after insert on "ledger" begin delete from "token"; end`;

async function makeStore(act: string): Promise<string> {
  const location = freshLocation("sqlite");
  const { house } = await openTestHouse("sqlite", { location });
  await house.close();
  const file = new DatabaseSync(location);
  file.exec(act);
  file.close();
  return location;
}

test.each([
  snoop,
  `create view "peek" as select * from "token"`,
])("[ST32] a file with a trigger or a view is not opened, and stays as it was: %s", async (act) => {
  const location = await makeStore(act);
  const before = readFileSync(location);
  await expect(openTestHouse("sqlite", { location })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { parts: [expect.stringMatching(/^(trigger snoop|view peek)$/)] },
  });
  expect(readFileSync(location).equals(before)).toBe(true);
});

test("[ST31] a backup with a trigger, or without one of our indexes, is not put in place", async () => {
  for (const [act, problem] of [
    [snoop, "the trigger snoop is not Crewdeck's"],
    [`drop index "notice_waiting"`, "the index notice_waiting is missing"],
  ] as const) {
    const backup = await makeStore(act);
    const location = freshLocation("sqlite");
    await expect(restoreStore(backup, location, verifyStore)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { verification: { problems: [problem] } },
    });
  }
});
