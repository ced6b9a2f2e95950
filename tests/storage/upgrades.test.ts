import { expect, test } from "vitest";
import { verifyHouse } from "../../src/engine/verify.ts";
import { migrations } from "../../src/storage/migrations/all.ts";
import { migrate } from "../../src/storage/migrations/migration.ts";
import { dropRowSums } from "../../src/storage/row-sums.ts";
import { SqliteConnection } from "../../src/storage/sqlite-connection.ts";
import { freshLocation, openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { catalog, personTools } from "../../src/tools/catalog.ts";
import { listTargets } from "../attack/id-makers.ts";
import { fillFor } from "../attack/records.ts";
import { isAnybodys } from "../contract/examples.ts";

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** It takes no row without it. */
  readonly isNeeded: number;
}

type Row = Readonly<Record<string, unknown>>;
type Tables = ReadonlyMap<string, readonly Row[]>;

const columnsOf = async (connection: SqliteConnection): Promise<Map<string, Column[]>> => {
  const columns = await connection.sql<Column>(
    `select t."name" as "table", c."name", lower(c."type") as "type",
       c."notnull" and c."dflt_value" is null as "isNeeded"
     from sqlite_schema t, pragma_table_info(t."name") c where t."type" = 'table' and t."name" <> 'migration'`,
  );
  const tables = new Map<string, Column[]>();
  for (const column of columns) tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
  return tables;
};

/** It would take longer to make one than all the others take together. */
const takesARepository = /^(collision|merge|vault|index|pull|search|bootstrap|report|clean)_?/;

/** Everything that the tools' own examples do, and what that leaves in the tables. */
async function live(): Promise<{ house: TestHouse; rows: Tables }> {
  const house = await openTestHouse("sqlite", { location: freshLocation("sqlite") });
  const fill = fillFor(house, house.owner);
  const tools = [...catalog, ...personTools].filter(({ name }) => !takesARepository.test(name));
  for (const { tool, definition, operation } of listTargets(tools)) {
    for (const { input } of definition.examples.filter(isAnybodys).slice(0, 1)) {
      const args = await fill({ ...operation, ...input }).catch(() => undefined);
      if (args !== undefined) await house.reply(tool.name, args);
    }
  }
  await house.house.close();
  const connection = new SqliteConnection(house.location);
  const rows = new Map<string, Row[]>();
  for (const table of (await columnsOf(connection)).keys()) {
    rows.set(table, await connection.sql<Row & object>(`select * from "${table}"`));
  }
  connection.close();
  return { house, rows };
}

/** A home as the versions up to this step would have left it: their tables, with what is in their columns today. */
async function makeOld(steps: number, rows: Tables): Promise<string> {
  const location = freshLocation("sqlite");
  const connection = new SqliteConnection(location);
  connection.set("journal_mode = wal");
  connection.set("foreign_keys = off");
  connection.exec("begin");
  await migrate(connection, migrations.slice(0, steps), 1);
  if (!hasSums(steps)) await dropRowSums(connection);
  for (const [table, columns] of await columnsOf(connection)) {
    // What it could not be without was there in every row of that time.
    const needed = columns.filter(({ isNeeded }) => isNeeded === 1);
    for (const row of (rows.get(table) ?? []).filter((row) => needed.every(({ name }) => row[name] !== null))) {
      const own = columns.filter(({ name, isNeeded }) => name in row || isNeeded === 1);
      const names = own.map(({ name }) => `"${name}"`).join();
      const values = own.map(({ name, type }) => (name in row ? row[name] : type === "text" ? "[]" : 0));
      await connection.sql(`insert into "${table}" (${names}) values (${own.map(() => "?").join()})`, values);
    }
  }
  connection.exec("commit");
  connection.close();
  return location;
}

const hasSums = (steps: number): boolean => migrations.slice(0, steps).some(({ name }) => name === "0027-row-sums");

/** What those who ask are told is there. */
async function listIds(house: TestHouse, ownerToken: string): Promise<Record<string, string[]>> {
  const owner = await house.house.authenticator.identify(ownerToken);
  const found: Record<string, string[]> = {};
  for (const [tool, list] of Object.entries({ agent_list: "agents", workflow_list: "workflows", task_list: "tasks" })) {
    const answer = await house.call<Record<string, { id: string }[]>>(tool, { limit: 100 }, owner);
    found[list] = (answer[list] ?? []).map(({ id }) => id).sort();
  }
  return found;
}

test("[ST54] a home that any earlier step has left opens, is whole, and has everybody's work", async () => {
  const { house, rows } = await live();
  expect([...rows].filter(([, found]) => found.length > 0).length).toBeGreaterThan(30);
  const before = new Map<string, unknown>();
  for (let steps = migrations.length; steps > 0; steps -= 1) {
    const step = migrations[steps - 1]?.name;
    const next = await openTestHouse("sqlite", { location: await makeOld(steps, rows) });
    const { isIntact, problems, reason } = await verifyHouse(next.house);
    expect({ step, isIntact, problems, reason }).toEqual({ step, isIntact: true, problems: [], reason: null });
    for (const [list, ids] of Object.entries(await listIds(next, house.ownerToken))) {
      // What a version had no tables for is not there.
      if (ids.length > 0 || steps > 1)
        expect({ step, list, ids }).toEqual({ step, list, ids: before.get(list) ?? ids });
      if (steps === migrations.length) before.set(list, ids);
    }
    await next.house.close();
  }
});
