import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import { evidencePorts } from "../../src/adapters/checks/ports.ts";
import { checkHands } from "../../src/adapters/checks/run-checks.ts";
import { migrations } from "../../src/storage/migrations/all.ts";
import { dropRowSums } from "../../src/storage/row-sums.ts";
import { isSafeSqlite } from "../../src/storage/sqlite-connection.ts";
import { forEachStore, freshLocation, openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { completeTask, makeRepository, startMission, startTask } from "../mission/repository.ts";
import { planned } from "../workflow/work.ts";
import { keptKeys, putDurably } from "./rows.ts";

forEachStore("opening", (_open, kind) => {
  test("[ST15] each migration is applied once, however often a store is opened", async () => {
    const location = freshLocation(kind);
    for (let round = 0; round < 3; round += 1) {
      const { house } = await openTestHouse(kind, { location });
      const applied = await house.store.read((db) =>
        db.sql<{ name: string }>('select "name" from "migration" order by 1'),
      );
      expect(applied.map((row) => row.name)).toEqual(migrations.map((migration) => migration.name));
      await house.close();
    }
  });

  test("[ST16] a store of a newer Crewdeck is refused and stays as it was", async () => {
    const location = freshLocation(kind);
    const first = await openTestHouse(kind, { location });
    await putDurably(first, "kept");
    await first.house.store.transact(async (db) => {
      await db.run(db.q.insertInto("meta").values({ key: "newer", value: "" }));
      await db.sql(`insert into "migration" ("name", "appliedAt") values ('9999-later', 1)`);
      return { value: null, entries: [] };
    });
    await first.house.close();
    const before = kind === "sqlite" ? readFileSync(location) : null;
    await expect(openTestHouse(kind, { location })).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
      details: { unknown: ["9999-later"] },
    });
    if (before) expect(readFileSync(location).equals(before)).toBe(true);
  });
});

describe.each(["sqlite", "postgres"] as const)("upgrading on %s", (kind) => {
  test("[ST39] receipts of the time before results were kept apart get their level and what was out of scope", async () => {
    const location = freshLocation(kind);
    const options = { location, ports: evidencePorts, hands: checkHands };
    const house = await openTestHouse(kind, options);
    const r = makeRepository();
    const mission_id = await startMission(house);
    const work = async (areas: string[], file: string): Promise<string> => {
      const { task_id } = await startTask(house, { mission_id, areas, repository_path: r.dir });
      r.write(file, "new\n");
      await completeTask(house, task_id);
      r.commit(file);
      return task_id;
    };
    const strayed = await work(["docs"], "src/a.ts");
    const proven = await work([], "src/b.ts");
    await house.house.store.transact(async (db) => {
      if (kind === "sqlite") await dropRowSums(db);
      for (const statement of beforeResults) await db.sql(statement);
      return { value: null, entries: [] };
    });
    await house.house.close();
    const next = await openTestHouse(kind, options);
    const owner = await next.house.authenticator.identify(house.ownerToken);
    const resultOf = async (id: string) => (await next.call<{ result: unknown }>("task_get", { id }, owner)).result;
    expect(await resultOf(strayed)).toEqual({ level: "self-reported", out_of_scope_count: 1, failing_check_count: 0 });
    expect(await resultOf(proven)).toEqual({ level: "verified", out_of_scope_count: 0, failing_check_count: 0 });
    const verified = await next.call<{ level: string }>("task_verify", { task_id: proven }, owner);
    expect(verified).toMatchObject({ level: "verified" });
  });
});

forEachStore("tasks of an older store", (_open, kind) => {
  test("[TK33] are numbered in the order they were made in, and the next one goes on from there", async () => {
    const options = { location: freshLocation(kind) };
    const house = await openTestHouse(kind, options);
    const name = (task: string) => ({ name: task });
    await planned(house, ["one", "two", "three"].map(name));
    const numbersIn = async (one: TestHouse, caller = one.owner): Promise<Record<string, number>> => {
      const { tasks } = await one.call<{ tasks: { name: string; number: number }[] }>("task_list", {}, caller);
      return Object.fromEntries(tasks.map((task) => [task.name, task.number]));
    };
    const before = await numbersIn(house);
    expect(Object.values(before).sort()).toEqual([1, 2, 3]);
    await house.house.store.transact(async (db) => {
      if (kind === "sqlite") await dropRowSums(db);
      await db.sql('drop index "taskByNumber"');
      await db.sql('alter table "task" drop column "number"');
      await db.sql(`delete from "migration" where "name" = '0026-task-numbers'`);
      return { value: null, entries: [] };
    });
    await house.house.close();
    const next = await openTestHouse(kind, options);
    const owner = await next.house.authenticator.identify(house.ownerToken);
    expect(Object.values(await numbersIn(next, owner)).sort()).toEqual([1, 2, 3]);
    await planned(next, [name("four")], {}, owner);
    expect((await numbersIn(next, owner))["four"]).toBe(4);
  });
});

/** As a store was before results had columns of their own: the words are older, and only the receipt has them. */
const beforeResults = [
  `drop index "evidenceByDoubt"`,
  ...["level", "outOfScope", "failedChecks", "doubtfulSince"].map(
    (name) => `alter table "evidence" drop column "${name}"`,
  ),
  `update "evidence" set "receipt" = replace("receipt", '"level":"self-reported"', '"level":"claimed"')`,
  `update "evidence" set "receipt" = replace("receipt", '"level":"verified"', '"level":"checked"')`,
  `delete from "migration" where "name" = '0008-results'`,
];

test("[ST15] six nodes that open a new schema at once end up with one set of tables and one team", async () => {
  const location = freshLocation("postgres");
  const houses = await Promise.all(Array.from({ length: 6 }, () => openTestHouse("postgres", { location })));
  const teams = await houses[0]?.house.store.read((db) => db.all(db.q.selectFrom("team").select("id")));
  expect(teams).toHaveLength(1);
  expect(houses.filter((house) => house.ownerToken !== "")).toHaveLength(1);
});

test("[ST17] another program's database is refused and not touched", async () => {
  const location = freshLocation("sqlite");
  const foreign = new DatabaseSync(location);
  foreign.exec("create table song (title text)");
  foreign.close();
  const before = readFileSync(location);
  await expect(openTestHouse("sqlite", { location })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect(readFileSync(location).equals(before)).toBe(true);
  expect(existsSync(`${location}-wal`)).toBe(false);
});

test.each([
  { title: "short", lines: 1 },
  { title: "long", lines: 200 },
])("[ST17] a $title file that is no database is refused and not touched", async ({ lines }) => {
  const location = freshLocation("sqlite");
  writeFileSync(location, "These are the notes of a meeting, and they are worth keeping.\n".repeat(lines));
  const before = readFileSync(location);
  await expect(openTestHouse("sqlite", { location })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect(readFileSync(location).equals(before)).toBe(true);
});

test.each([
  { version: "3.51.3", isSafe: true },
  { version: "3.53.0", isSafe: true },
  { version: "4.0.0", isSafe: true },
  { version: "3.51.2", isSafe: false },
  { version: "3.45.1", isSafe: false },
  { version: "2.99.99", isSafe: false },
])("[ST18] SQLite $version is safe: $isSafe", ({ version, isSafe }) => {
  expect(isSafeSqlite(version)).toBe(isSafe);
});

test("[ST19] the store and its log can be read by their owner only", async () => {
  const house = await openTestHouse("sqlite");
  await putDurably(house, "kept");
  for (const suffix of ["", "-wal", "-shm"]) {
    expect(statSync(house.location + suffix).mode & 0o777, suffix).toBe(0o600);
  }
  expect(await keptKeys(house)).toEqual(["kept"]);
});
