import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { verifyStore } from "../../src/domain/ledger/operations.ts";
import { verifyHouse } from "../../src/engine/verify.ts";
import { lockFileOf } from "../../src/storage/lock.ts";
import { restoreStore } from "../../src/storage/restore.ts";
import { SqliteConnection } from "../../src/storage/sqlite-connection.ts";
import { readStoreFile } from "../../src/storage/store-file.ts";
import { forEachStore, freshLocation, openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { startProgram } from "../crash/program.ts";
import { keptKeys, putDurably } from "./rows.ts";

/** A closed store with one row, a backup of it, and then one row more. */
async function prepare(): Promise<{ location: string; backup: string }> {
  const house = await openTestHouse("sqlite");
  const backup = join(dirname(house.location), "backup.db");
  await putDurably(house, "early");
  await house.house.store.backup(backup);
  await putDurably(house, "late");
  await house.house.close();
  return { location: house.location, backup };
}

const reopen = (location: string): Promise<TestHouse> => openTestHouse("sqlite", { location });

const restore = (backup: string, location: string) => restoreStore(backup, location, verifyStore);

function change(file: string, ...statements: string[]): void {
  const database = new SqliteConnection(file);
  for (const statement of [...statements, "pragma wal_checkpoint(truncate)"]) database.raw.exec(statement);
  database.close();
}

const filesOf = (location: string): string[] => readdirSync(dirname(location)).sort();

test("[DU9] a backup under sixteen writers holds one moment, whole and verified", async () => {
  const house = await openTestHouse("sqlite");
  let isOver = false;
  let written = 0;
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    while (!isOver) {
      await putDurably(house, `${writer}-${written}`);
      written += 1;
    }
  });
  const acknowledged = new Set(await keptKeys(house));
  for (let round = 0; round < 5; round += 1) {
    for (const key of await keptKeys(house)) acknowledged.add(key);
    const backup = join(dirname(house.location), `backup-${round}.db`);
    await house.house.store.backup(backup);
    const copy = await readStoreFile(backup, async (db) => ({
      verification: await verifyStore(db),
      keys: (await db.sql<{ key: string }>(`select "key" from "meta" where "key" like 'test:%'`)).length,
      entries: (await db.sql(`select 1 from "ledger" where "kind" = 'test.happened'`)).length,
    }));
    expect(copy.verification).toMatchObject({ isIntact: true, problems: [] });
    expect(copy.keys).toBe(copy.entries);
    expect(copy.keys).toBeGreaterThanOrEqual(acknowledged.size);
  }
  isOver = true;
  await Promise.all(writers);
  expect(await verifyHouse(house.house)).toMatchObject({ isIntact: true });
});

test("[DU10] a backup overwrites nothing but an empty file, and only its owner can read it", async () => {
  const house = await openTestHouse("sqlite");
  const taken = join(dirname(house.location), "taken");
  writeFileSync(taken, "precious");
  await expect(house.house.store.backup(taken)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(readFileSync(taken, "utf8")).toBe("precious");
  const empty = join(dirname(house.location), "empty");
  writeFileSync(empty, "", { mode: 0o644 });
  await house.house.store.backup(empty);
  expect(statSync(empty).mode & 0o777).toBe(0o600);
  await expect(house.house.store.backup(join(dirname(house.location), "no", "folder"))).rejects.toThrow("ENOENT");
  expect(filesOf(house.location).filter((name) => name.includes("partial"))).toEqual([]);
});

test("[DU10] nor does it replace links, pipes, devices, folders or the draft of another backup", async () => {
  const { house, location } = await openTestHouse("sqlite");
  const place = (name: string): string => join(dirname(location), name);
  symlinkSync(place("nowhere"), place("dangling"));
  symlinkSync("/dev/null", place("device"));
  mkdirSync(place("folder"));
  execFileSync("mkfifo", [place("pipe")]);
  for (const name of ["dangling", "device", "folder", "pipe"]) {
    await expect(house.store.backup(place(name)), name).rejects.toMatchObject({ code: "CONFLICT" });
  }
  writeFileSync(place("copy.partial"), "somebody's draft");
  await house.store.backup(place("copy"));
  expect(readFileSync(place("copy.partial"), "utf8")).toBe("somebody's draft");
  expect(existsSync(place("nowhere"))).toBe(false);
});

test("[DU10] of backups to one name at the same time one is made, whole, and the others are refused", async () => {
  const { house, location } = await openTestHouse("sqlite");
  const target = join(dirname(location), "copy");
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => house.store.backup(target)));
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused).toEqual(Array(3).fill({ status: "rejected", reason: expect.objectContaining({ code: "CONFLICT" }) }));
  expect(await readStoreFile(target, verifyStore)).toMatchObject({ isIntact: true });
  expect(filesOf(location).filter((name) => name.includes("partial"))).toEqual([]);
});

test("[DU11] a restore brings the backup's state back and keeps what was there", async () => {
  const { location, backup } = await prepare();
  const { previous } = await restore(backup, location);
  expect(basename(previous ?? "")).toMatch(/^crewdeck\.db\.before-restore-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/);
  for (const file of [location, previous ?? ""]) expect(statSync(file).mode & 0o777).toBe(0o600);
  const restored = await reopen(location);
  expect(await keptKeys(restored)).toEqual(["early"]);
  await putDurably(restored, "afterwards");
  expect(await verifyHouse(restored.house)).toMatchObject({ isIntact: true });
  const old = await reopen(previous ?? "");
  expect(await keptKeys(old)).toEqual(["early", "late"]);
});

test("[DU11] a restore to where nothing was needs nothing to keep", async () => {
  const { backup } = await prepare();
  const location = freshLocation("sqlite");
  expect(await restore(backup, location)).toEqual({ previous: null });
  expect(await keptKeys(await reopen(location))).toEqual(["early"]);
});

test("[DU11] a store that was left in a hurry is kept with the changes in its log", async () => {
  const { location, backup } = await prepare();
  const house = await reopen(location);
  await putDurably(house, "in the log");
  const hurried = freshLocation("sqlite");
  for (const suffix of ["", "-wal"]) copyFileSync(location + suffix, hurried + suffix);
  const { previous } = await restore(backup, hurried);
  expect(await keptKeys(await reopen(previous ?? ""))).toEqual(["early", "in the log", "late"]);
  expect(await keptKeys(await reopen(hurried))).toEqual(["early"]);
});

test("[DU11] a store too damaged to be opened is kept as it is", async () => {
  const { location, backup } = await prepare();
  writeFileSync(location, "damaged beyond repair");
  const { previous } = await restore(backup, location);
  expect(readFileSync(previous ?? "", "utf8")).toBe("damaged beyond repair");
  expect(await keptKeys(await reopen(location))).toEqual(["early"]);
});

test.each([
  { title: "is missing", spoil: () => undefined, code: "NOT_FOUND", name: "missing.db" },
  {
    title: "is no database",
    spoil: (file: string) => writeFileSync(file, "a letter\n".repeat(99)),
    code: "INVALID_INPUT",
  },
  {
    title: "is another program's database",
    spoil: (file: string) => change(file, 'drop table "answer"', 'drop table "ledger"'),
    code: "INVALID_INPUT",
  },
  {
    title: "is of a newer Crewdeck",
    spoil: (file: string) => change(file, `insert into "migration" values ('9999-later', 1)`),
    code: "CAPABILITY_MISSING",
  },
  {
    title: "has an edited ledger",
    spoil: (file: string) => change(file, `update "ledger" set "subject" = 'ag_nobody' where "seq" = 2`),
    code: "INVALID_INPUT",
  },
  {
    title: "has a ledger that was cut off",
    spoil: (file: string) => change(file, `delete from "ledger" where "seq" > 2`),
    code: "INVALID_INPUT",
  },
  { title: "has a damaged page", spoil: damagePages, code: "INVALID_INPUT" },
  {
    title: "was cut off",
    spoil: (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 9_000)),
    code: "INVALID_INPUT",
  },
])("[DU12] a backup that $title is refused and nothing changes", async ({ spoil, code, name }) => {
  const { location, backup } = await prepare();
  spoil(backup);
  const before = { files: filesOf(location), store: readFileSync(location) };
  const source = name === undefined ? backup : join(dirname(backup), name);
  await expect(restore(source, location)).rejects.toMatchObject({ code });
  const leftOver = ["crewdeck.db-lock"];
  expect(filesOf(location).filter((file) => !leftOver.includes(file))).toEqual(before.files);
  expect(readFileSync(location).equals(before.store)).toBe(true);
  expect(await keptKeys(await reopen(location))).toEqual(["early", "late"]);
});

/** Scribbles over every page but the first, where the list of tables begins. */
function damagePages(file: string): void {
  const bytes = readFileSync(file);
  for (let page = 1; page * 4_096 < bytes.length; page += 1) bytes.fill(0x5a, page * 4_096 + 8, page * 4_096 + 200);
  writeFileSync(file, bytes);
}

test("[DU13] a restore refuses while a process holds the store", async () => {
  const { location, backup } = await prepare();
  const holder = startProgram("hold", { file: lockFileOf(location), home: dirname(location) });
  await holder.waitForLines(1);
  await expect(restore(backup, location)).rejects.toMatchObject({
    name: "StoreHeldError",
    holder: { pid: holder.process.pid },
  });
  await holder.kill();
  await restore(backup, location);
  expect(await keptKeys(await reopen(location))).toEqual(["early"]);
});

test("[DU15] verification names what the database finds wrong with its own file", async () => {
  const { location } = await prepare();
  change(
    location,
    "pragma foreign_keys = off",
    `insert into "token" values ('tok_1', 'dev_nobody', 'h', 'l', null, 1, null, 1, null, null, null, null)`,
  );
  const verification = await readStoreFile(location, verifyStore);
  expect(verification).toEqual({
    isIntact: false,
    entries: expect.any(Number),
    firstBadSeq: null,
    reason: null,
    problems: ["a row of token names a row of developer that is not there"],
    accepted: [],
    areRowsChecked: true,
  });
});

test("[DU15] verification of a damaged file answers instead of failing", async () => {
  const { location } = await prepare();
  const marker = "easy to find";
  change(location, `insert into "meta" values ('note', '${marker}')`, 'create index "byValue" on "meta" ("value")');
  const bytes = readFileSync(location);
  bytes.write("hard", bytes.lastIndexOf(marker));
  writeFileSync(location, bytes);
  const verification = await readStoreFile(location, verifyStore);
  expect(verification).toMatchObject({ isIntact: false, firstBadSeq: null });
  expect(verification.problems.join()).toContain("byValue");
});

forEachStore("verification", (open) => {
  test("[DU15] a sound store is sound", async () => {
    const house = await open();
    await house.agent("Ada");
    expect(await verifyHouse(house.house)).toMatchObject({ isIntact: true, problems: [] });
  });
});
