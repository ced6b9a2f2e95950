import { expect, test } from "vitest";
import { prepare } from "../../src/storage/prepared.ts";
import { forEachStore } from "../../src/testing/house.ts";
import { putRow } from "./rows.ts";

forEachStore("a prepared query", (open) => {
  test("[ST28] finds by each argument what it would find if it were built for it", async () => {
    const { house } = await open();
    let builds = 0;
    const byKey = prepare((q, key: string, least: string) => {
      builds += 1;
      return q.selectFrom("meta").select("value").where("value", ">=", least).where("key", "=", key).limit(3);
    });
    const found = await house.store.transact(async (db) => {
      await putRow(db, "one", "b");
      await putRow(db, "two", "c");
      const first = (key: string, least: string) => db.first(byKey(db.q, key, least));
      const value = [await first("test:one", "a"), await first("test:two", "c"), await first("test:one", "c")];
      return { value, entries: [] };
    });
    expect(found).toEqual([{ value: "b" }, { value: "c" }, undefined]);
    expect(builds).toBe(1);
  });

  test("[ST28] rows are built once for each set of columns, and lists for a few lengths", async () => {
    const { house } = await open();
    let builds = 0;
    const insertion = prepare((q, row: { key: string; value: string }) => {
      builds += 1;
      return q.insertInto("meta").values(row);
    });
    const among = prepare((q, keys: readonly string[], limit: number) => {
      builds += 1;
      return q.selectFrom("meta").select("key").where("key", "in", keys).orderBy("key").limit(limit);
    });
    const keys = ["a", "b", "c", "d", "e"].map((key) => `test:${key}`);
    const found = await house.store.transact(async (db) => {
      for (const key of keys) await db.run(insertion(db.q, { key, value: "x" }));
      const find = async (count: number) => (await db.all(among(db.q, keys.slice(0, count), 9))).map(({ key }) => key);
      return { value: [await find(1), await find(3), await find(4), await find(5)], entries: [] };
    });
    expect(found).toEqual([1, 3, 4, 5].map((count) => keys.slice(0, count)));
    expect(builds).toBe(1 + 3);
  });
});
