import type { Db } from "../../src/storage/db.ts";
import type { PendingEntry } from "../../src/storage/store.ts";
import type { TestHouse } from "../../src/testing/house.ts";

/** Plain rows to try the store with; `meta` takes any key. */
export const putRow = (db: Db, key: string, value = ""): Promise<number> =>
  db.run(db.q.insertInto("meta").values({ key: `test:${key}`, value }));

export const keysOf = async (db: Db): Promise<string[]> =>
  (await db.all(db.q.selectFrom("meta").select("key").where("key", "like", "test:%").orderBy("key"))).map((row) =>
    row.key.slice("test:".length),
  );

export const keptKeys = (house: TestHouse): Promise<string[]> => house.house.store.read(keysOf);

/** One operation that puts one row and records one entry. */
export const putDurably = (house: TestHouse, key: string): Promise<string> =>
  house.house.store.transact(async (db) => {
    await putRow(db, key);
    return { value: key, entries: [entryAbout(key)] };
  });

export const entryAbout = (subject: string, data: Record<string, unknown> = {}): PendingEntry => ({
  stream: "work",
  kind: "test.happened",
  announced: "test:happened",
  subject,
  channels: [],
  data,
  at: 1,
  developerId: null,
  callId: null,
});

/** The subjects of the test's own entries, in the order of the ledger. */
export const recordedSubjects = async (house: TestHouse): Promise<string[]> =>
  (await house.entries()).filter((entry) => entry.kind === "test.happened").map((entry) => entry.subject);
