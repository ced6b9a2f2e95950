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
});
