import { expect, test } from "vitest";
import { AgentId } from "../../src/contract/ids.ts";
import { bindable } from "../../src/storage/db.ts";
import { SqliteConnection } from "../../src/storage/sqlite-connection.ts";
import { forEachStore } from "../../src/testing/house.ts";
import { putRow } from "./rows.ts";

test.each([
  { title: "a flag that is set", value: true, bound: 1 },
  { title: "a flag that is not", value: false, bound: 0 },
  { title: "a text", value: "zoë 🦊", bound: "zoë 🦊" },
  { title: "nothing", value: null, bound: null },
  { title: "a big number", value: 2n ** 60n, bound: 2n ** 60n },
])("[ST12] $title is bound as $bound", ({ value, bound }) => {
  expect(bindable(value)).toBe(bound);
});

test.each([
  { title: "a date", value: new Date() },
  { title: "undefined", value: undefined },
  { title: "an object", value: {} },
  { title: "a list", value: [1] },
  { title: "a function", value: () => 1 },
  { title: "not a number", value: Number.NaN },
  { title: "infinity", value: Number.POSITIVE_INFINITY },
])("[ST12] $title is refused", ({ value }) => {
  expect(() => bindable(value)).toThrow(TypeError);
});

forEachStore("values", (open) => {
  test.each([
    { title: "empty", value: "" },
    { title: "of every plane", value: "a\tb\n\u{1f98a}\u{10ffff}\ufffd'\"\\" },
    { title: "long", value: "x".repeat(300_000) },
  ])("[ST12] a text that is $title comes back as it was", async ({ value }) => {
    const house = await open();
    const back = await house.house.store.transact(async (db) => {
      await putRow(db, "text", value);
      const row = await db.first(db.q.selectFrom("meta").select("value").where("key", "=", "test:text"));
      return { value: row?.value, entries: [] };
    });
    expect(back).toBe(value);
  });

  test.each([
    { title: "a NUL character", name: "Ada\u0000Lovelace" },
    { title: "half a surrogate pair", name: "Ada \ud83e" },
  ])("[ST13] a name with $title is refused and nothing is kept", async ({ name }) => {
    const house = await open();
    expect(await house.refusal("agent_register", { name, runtime: "custom" })).toBe("INVALID_INPUT");
    expect(await house.call("agent_list", {})).toMatchObject({ agents: [] });
  });
});

test("[ST14] a connection keeps a text once and never more than 500 of them", async () => {
  const connection = new SqliteConnection(":memory:");
  for (let round = 0; round < 5; round += 1) await connection.sql("select ? as n", [round]);
  expect(connection.statementCount).toBe(1);
  for (let place = 0; place < 1_200; place += 1) {
    await connection.sql(`select ${place} as n`);
    expect(connection.statementCount).toBeLessThanOrEqual(500);
  }
  expect(await connection.sql("select ? as n", [7])).toEqual([{ n: 7 }]);
  connection.close();
});

forEachStore("statements", (open, kind) => {
  test("[ST14] lists of many lengths leave few statements behind", async () => {
    const house = await open();
    const kept = await house.house.store.read(async (db) => {
      for (let length = 1; length <= 200; length += 1) {
        const ids = Array.from({ length }, (_, place) => AgentId.parse(`ag_${place}`));
        await db.all(db.q.selectFrom("agent").select("id").where("id", "in", ids));
      }
      if (kind === "sqlite") return 0;
      const [row] = await db.sql<{ count: number }>(
        `select count(*) as count from pg_prepared_statements where "statement" like 'select "id" from "agent"%'`,
      );
      return row?.count;
    });
    expect(kept).toBeLessThanOrEqual(40);
  });
});
