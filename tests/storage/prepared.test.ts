import { expect, test } from "vitest";
import { DeveloperId } from "../../src/contract/ids.ts";
import { listChangedSubjects } from "../../src/domain/ledger/change-queries.ts";
import { listFeedback } from "../../src/domain/ledger/feedback-queries.ts";
import { listEntries, listEntriesOfKinds } from "../../src/domain/ledger/queries.ts";
import { listUntold } from "../../src/domain/usage/budget-store.ts";
import { prepare } from "../../src/storage/prepared.ts";
import { SqliteConnection } from "../../src/storage/sqlite-connection.ts";
import { forEachStore, openTestHouse } from "../../src/testing/house.ts";
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

test("[ST52] SQLite goes on with the statement it has prepared when a query comes again with other values", async () => {
  const { house, location } = await openTestHouse("sqlite");
  await house.close();
  const db = new SqliteConnection(location);
  const nobody = DeveloperId.parse(`dev_${"0".repeat(26)}`);
  const queries: ((round: number) => Promise<unknown>)[] = [
    (round) => db.all(db.q.selectFrom("agent").selectAll().orderBy("id").limit(round).offset(round)),
    (round) => listUntold(db, DeveloperId.parse(`dev_${String(round).padStart(26, "0")}`)),
    (round) => listFeedback(db, { developerId: nobody, limit: round }),
    (round) => listChangedSubjects(db, round),
    (round) => listEntriesOfKinds(db, { after: round, kinds: ["task.created", `task.${round}`], limit: round }),
    ...(["work", "usage", "feedback"] as const).map(
      (stream) => (round: number) => listEntries(db, { after: round, limit: round, stream }),
    ),
    (round) => listEntries(db, { after: 0, limit: 1, subject: String(round), kind: "agent.registered" }),
  ];
  let prepared = 0;
  // It is asked about everything that a statement does, whenever one is prepared.
  db.raw.setAuthorizer(() => {
    prepared += 1;
    return 0;
  });
  for (const query of queries) await query(1);
  expect(prepared).toBeGreaterThan(0);
  prepared = 0;
  for (const query of queries) await query(2);
  expect(prepared).toBe(0);
  db.close();
});
