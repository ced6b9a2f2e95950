import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forEachStore, freshLocation, openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import config from "../../vitest.config.ts";
import { apart, startGit, startMany } from "../apart.ts";
import { long } from "../order.ts";
import { repository } from "./planted-tree.ts";

test("[RE92] every test file that has a process of its own exists and says why", () => {
  for (const [path, reason] of Object.entries(apart)) {
    expect([path, existsSync(join(repository, path)), reason]).toEqual([path, true, expect.stringMatching(/\w+ \w+/)]);
  }
});

test("[RE92] all the others share processes, and none is left out", () => {
  const projects = config.test?.projects as { test: Record<string, unknown> }[];
  expect(projects.map(({ test: project }) => project)).toMatchObject([
    { name: "apart", include: Object.keys(apart) },
    { name: "git", include: startGit, exclude: Object.keys(apart), isolate: false },
    { name: "programs", include: startMany, exclude: Object.keys(apart), isolate: false },
    {
      name: "together",
      include: ["tests/**/*.test.ts"],
      exclude: [...startGit, ...startMany, ...Object.keys(apart)],
      isolate: false,
    },
  ]);
  expect(config.test?.maxWorkers).toBe(availableParallelism() + 3);
});

test("[RE92] every test file that is begun early exists", () => {
  expect(long.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
});

forEachStore("a test's store", (open, kind) => {
  test("[RE93] is what migrations make, copied", async () => {
    const migrated = await openTestHouse(kind, { location: freshLocation(kind) });
    expect(await tablesOf(await open(), kind)).toEqual(await tablesOf(migrated, kind));
  });

  test("[RE93] is its own: what one test leaves, no other finds", async () => {
    const [one, other] = [await open(), await open()];
    await one.agent("Ada");
    expect(await other.call("agent_list")).toEqual({ agents: [] });
  });
});

/** Every table, column and index as the database describes it, and which migrations made them. */
function tablesOf({ house }: TestHouse, kind: StoreKind): Promise<unknown[]> {
  const shape =
    kind === "sqlite"
      ? "select type, name, tbl_name, sql from sqlite_master order by type, name"
      : `select 'column' as type, table_name, column_name, data_type, is_nullable, column_default, is_identity
           from information_schema.columns where table_schema = current_schema()
         union all
         select 'index', tablename, indexname, replace(indexdef, current_schema() || '.', ''), null, null, null
           from pg_indexes where schemaname = current_schema()
         order by 1, 2, 3`;
  return house.store.read(async (db) => [
    ...(await db.sql(shape)),
    ...(await db.sql('select "name" from "migration" order by 1')),
  ]);
}
