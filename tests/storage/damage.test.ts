import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { verifyStore } from "../../src/domain/ledger/operations.ts";
import { acceptDamageAt } from "../../src/engine/accept-damage.ts";
import { realSources } from "../../src/engine/sources.ts";
import { verifyHouse } from "../../src/engine/verify.ts";
import { damageNoteOf } from "../../src/storage/damage.ts";
import { restoreStore } from "../../src/storage/restore.ts";
import { SqliteConnection } from "../../src/storage/sqlite-connection.ts";
import { readStoreFile } from "../../src/storage/store-file.ts";
import { freshLocation, openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";

/** Where in the file a text stands that a table's row has; the ledger and indexes have copies of many. */
async function findIn(location: string, table: string, text: string): Promise<number> {
  const connection = new SqliteConnection(location);
  connection.settleLog();
  const pages = await connection.sql<{ page: number }>('select "pageno" as "page" from dbstat where "name" = ?', [
    table,
  ]);
  connection.close();
  const bytes = readFileSync(location);
  const starts = pages.map(({ page }) => (page - 1) * pageBytes);
  const found = starts.map((start) => bytes.subarray(start, start + pageBytes).indexOf(text));
  const place = found.findIndex((at) => at !== -1);
  return (starts[place] ?? Number.NaN) + (found[place] ?? Number.NaN);
}

const pageBytes = 4_096;

function flip(location: string, at: number): void {
  const bytes = readFileSync(location);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(location, bytes);
}

/** Scribbles over the page that a table begins with. */
async function scribble(location: string, table: string): Promise<void> {
  const connection = new SqliteConnection(location);
  connection.settleLog();
  const [root] = await connection.sql<{ page: number }>(
    'select "rootpage" as "page" from sqlite_schema where "name" = ?',
    [table],
  );
  connection.close();
  const bytes = readFileSync(location);
  bytes.fill(0x5a, ((root?.page ?? 1) - 1) * pageBytes, (root?.page ?? 1) * pageBytes);
  writeFileSync(location, bytes);
}

const unhashed = ["ledger", "unsealed", "meta", "migration"];

test("[DU20] a byte that was changed inside the text of a row is found, whichever table it is of", async () => {
  const location = freshLocation("sqlite");
  await (await openTestHouse("sqlite", { location })).house.close();
  const connection = new SqliteConnection(location);
  connection.set("foreign_keys = off");
  const columns = await connection.sql<{ table: string; name: string; type: string }>(
    `select t."name" as "table", c."name", lower(c."type") as "type" from sqlite_schema t, pragma_table_info(t."name") c
     where t."type" = 'table' order by 1, c."cid"`,
  );
  const tables = [...new Set(columns.map(({ table }) => table))].filter((table) => !unhashed.includes(table));
  const textOf = (table: string, column: string): string => `the ${column} of a ${table}`;
  for (const table of tables) {
    const own = columns.filter((column) => column.table === table);
    const values = own.map(({ name, type }) => (type === "text" ? textOf(table, name) : 7));
    await connection.sql(`insert into "${table}" values (${own.map(() => "?").join()})`, values);
  }
  connection.close();
  expect(tables).toEqual(expect.arrayContaining(["agent", "codeClaim", "message", "note", "task", "workflow"]));
  for (const table of tables) {
    const texts = columns.filter((column) => column.table === table && column.type === "text");
    const at = await findIn(location, table, textOf(table, texts.at(-1)?.name ?? ""));
    flip(location, at + 2);
    const { isIntact, problems } = await readStoreFile(location, (db) => verifyStore(db));
    expect({ table, isIntact, damaged: problems.filter((problem) => problem.startsWith("row")) }).toEqual({
      table,
      isIntact: false,
      damaged: [expect.stringMatching(new RegExp(`^row \\d+ of ${table} \\(th. .+\\) was damaged$`))],
    });
    flip(location, at + 2);
  }
});

/** What a person finds in the store, and how it comes to be damaged. */
interface Damaged {
  readonly house: TestHouse;
  readonly backup: string;
  /** Opens it again; whoever asks is its owner. */
  reopen(): Promise<TestHouse>;
}

async function makeDamaged(act: (location: string, house: TestHouse) => Promise<void>): Promise<Damaged> {
  const location = freshLocation("sqlite");
  const house = await openTestHouse("sqlite", { location });
  await house.call("workflow_create", { name: "Prices", source_type: "prompt", source_content: "a rounding error" });
  const backup = join(dirname(location), "backup.db");
  await house.house.store.backup(backup);
  await house.house.close();
  await act(location, house);
  return { house, backup, reopen: () => openAgain("sqlite", house) };
}

async function openAgain(kind: StoreKind, house: TestHouse): Promise<TestHouse> {
  const again = await openTestHouse(kind, { location: house.location });
  return Object.assign(again, { owner: await again.house.authenticator.identify(house.ownerToken) });
}

const damageText = async (location: string): Promise<void> =>
  flip(location, await findIn(location, "workflow", "a rounding error"));

const register = { name: "Ada", runtime: "custom" };

test("[DU21] a store that verification finds damaged is read, but takes no changes until a backup is restored", async () => {
  const { house, backup, reopen } = await makeDamaged(damageText);
  const first = await reopen();
  await first.agent("Grace");
  expect(await verifyHouse(first.house)).toMatchObject({
    isIntact: false,
    problems: [expect.stringMatching(/^row 1 of workflow \(wf_\w+\) was damaged$/)],
    readOnlyReason: expect.stringMatching(/^damaged: row 1 of workflow/),
  });
  expect(await first.refusal("agent_register", register)).toBe("STORE_DAMAGED");
  await first.house.close();
  const second = await reopen();
  expect(await second.reply("agent_register", register)).toMatchObject({
    failure: { code: "STORE_DAMAGED", hint: expect.stringContaining("crewdeck verify --accept") },
  });
  expect(await second.call("agent_list")).toMatchObject({ agents: [{ name: "Grace" }] });
  await second.house.close();
  await restoreStore(backup, house.location, verifyStore);
  const third = await reopen();
  await third.agent("Ada");
  expect(third.house.store.readOnlyReason).toBeNull();
  expect(await verifyHouse(third.house)).toMatchObject({ isIntact: true, readOnlyReason: null });
});

test("[DU21] a read or a change that meets damage finds it as well", async () => {
  for (const meet of [
    (house: TestHouse) => house.refusal("workflow_list"),
    (house: TestHouse) =>
      house.refusal("workflow_create", { name: "More", source_type: "prompt", source_content: "More." }),
  ]) {
    const { reopen } = await makeDamaged((location) => scribble(location, "workflow"));
    const house = await reopen();
    expect(await meet(house)).toBe("STORE_DAMAGED");
    expect(await house.refusal("agent_register", register)).toBe("STORE_DAMAGED");
    expect(await house.call("agent_list")).toMatchObject({ agents: [] });
    expect(existsSync(damageNoteOf(house.location))).toBe(true);
    expect((await verifyHouse(house.house)).problems).toContainEqual(expect.stringMatching(/^the file is broken: /));
    await house.house.close();
    await expect(acceptDamageAt(house.location, realSources, undefined)).rejects.toMatchObject({
      code: expect.stringMatching(/^(INVALID_STATE|STORE_DAMAGED)$/),
    });
    expect(existsSync(damageNoteOf(house.location))).toBe(true);
  }
});

const change = (location: string, statement: string): void => {
  const connection = new SqliteConnection(location);
  connection.set("foreign_keys = off");
  connection.raw.exec(statement);
  connection.close();
};

const editEntry = `update "ledger" set "data" = '{}' where "seq" = 2`;

test.each([
  { what: "a damaged row", act: damageText, problem: /^row 1 of workflow/, stays: false },
  {
    what: "a text that became a blob of the same bytes",
    act: async (file: string) =>
      change(file, `update "workflow" set "sourceContent" = cast("sourceContent" as blob), "updatedAt" = "updatedAt"`),
    problem: /^row 1 of workflow/,
    stays: true,
  },
  {
    what: "an edited entry",
    act: async (file: string) => change(file, editEntry),
    problem: /^entry 2 was changed$/,
    stays: true,
  },
  {
    what: "a cut-off end",
    act: async (file: string) => change(file, 'delete from "ledger" where "seq" > 2'),
    problem: /^the end is cut off after entry 2$/,
    stays: true,
  },
])("[DU22] a person keeps a store with $what, and the ledger says so", async ({ act, problem, stays }) => {
  const { house, reopen } = await makeDamaged(act);
  const damaged = await reopen();
  await verifyHouse(damaged.house);
  expect(await damaged.refusal("agent_register", register)).toBe("STORE_DAMAGED");
  await damaged.house.close();
  const found = await acceptDamageAt(house.location, realSources, house.ownerToken);
  expect([...found.problems, found.reason ?? ""].join("")).toMatch(problem);

  const kept = await reopen();
  await kept.agent("Ada");
  const accepted = stays ? [expect.stringMatching(problem)] : [];
  expect(await verifyHouse(kept.house)).toMatchObject({ isIntact: true, problems: [], accepted, readOnlyReason: null });
  expect((await kept.entries()).find(({ kind }) => kind === "team.damageAccepted")).toMatchObject({
    developerId: house.owner.developerId,
    data: { problems: [expect.stringMatching(problem)] },
  });
  // What is damaged later is found all the same.
  await kept.house.close();
  change(house.location, `update "ledger" set "kind" = 'x' where "seq" = (select max("seq") from "ledger")`);
  expect(await readStoreFile(house.location, (db) => verifyStore(db))).toMatchObject({ isIntact: false, accepted });
});

test("[DU21] [DU22] on PostgreSQL every node that starts is read-only until the damage is accepted", async () => {
  const house = await openTestHouse("postgres", { location: freshLocation("postgres") });
  await house.agent("Grace");
  await house.entries();
  await house.house.store.transact(async (db) => ({ value: await db.sql(editEntry), entries: [] }));
  expect(await verifyHouse(house.house)).toMatchObject({ isIntact: false, reason: "entry 2 was changed" });
  expect(await house.refusal("agent_register", register)).toBe("STORE_DAMAGED");
  await house.house.close();
  const next = await openAgain("postgres", house);
  expect(await next.refusal("agent_register", register)).toBe("STORE_DAMAGED");
  expect(await next.call("agent_list")).toMatchObject({ agents: [{ name: "Grace" }] });
  await next.house.close();
  await acceptDamageAt(house.location, realSources, house.ownerToken);
  const kept = await openAgain("postgres", house);
  await kept.agent("Ada");
  await kept.entries();
  expect(await verifyHouse(kept.house)).toMatchObject({ isIntact: true, accepted: ["entry 2 was changed"] });
});

test("[DU21] [DU22] what one node finds stops all nodes, and nobody accepts it while one is left", async () => {
  const house = await openTestHouse("postgres", { location: freshLocation("postgres") });
  await house.entries();
  const other = await openAgain("postgres", house);
  await house.house.store.transact(async (db) => ({ value: await db.sql(editEntry), entries: [] }));
  await verifyHouse(house.house);
  await until(async () => other.house.store.readOnlyReason !== null);
  expect(await other.refusal("agent_register", register)).toBe("STORE_DAMAGED");
  expect(await other.call("agent_list")).toMatchObject({ agents: [] });
  await house.house.close();
  const accept = () => acceptDamageAt(house.location, realSources, house.ownerToken);
  await expect(accept()).rejects.toMatchObject({ code: "INVALID_STATE" });
  await other.house.close();
  expect(await accept()).toMatchObject({ reason: "entry 2 was changed" });
  await (await openAgain("postgres", house)).agent("Ada");
});

test("[DU23] verification reads every row of PostgreSQL and says whether its checksums are on", async () => {
  const { house } = await openTestHouse("postgres");
  const on = await house.store.read((db) =>
    db.sql<{ value: string }>("select current_setting('data_checksums') as value"),
  );
  expect(await verifyHouse(house)).toMatchObject({ isIntact: true, areRowsChecked: on[0]?.value === "on" });
});
