import { DatabaseSync } from "@photostructure/sqlite";
import pg from "pg";
import { expect, test } from "vitest";
import { Refusal } from "../../src/contract/refusal.ts";
import { genesisHash, hashRow } from "../../src/domain/ledger/chain.ts";
import { cursorOf, seqOf } from "../../src/domain/ledger/cursor.ts";
import { type StoreVerification, verifyStore } from "../../src/domain/ledger/operations.ts";
import { listRows } from "../../src/domain/ledger/queries.ts";
import { verifyHouse } from "../../src/engine/verify.ts";
import { forEachStore, type TestHouse } from "../../src/testing/house.ts";

/** A ledger with a good number of entries of several streams; answers how many. */
async function fill(house: TestHouse): Promise<number> {
  const id = await house.agent("Ada", house.owner, { metadata: { note: "zoë 🦊" } });
  for (let round = 0; round < 5; round += 1) await house.call("agent_heartbeat", { agent_id: id });
  await house.refusal("agent_heartbeat", { agent_id: "ag_unknown" });
  await house.entries("usage");
  return (await verifyHouse(house.house)).entries;
}

/** Changes the store behind the server's back, as somebody with access to the database would. */
async function tamper(house: TestHouse, ...statements: string[]): Promise<StoreVerification> {
  if (house.house.store.dialect === "sqlite") {
    const intruder = new DatabaseSync(house.location);
    for (const statement of statements) intruder.exec(statement);
    intruder.close();
  } else {
    const intruder = new pg.Client(house.location);
    await intruder.connect();
    for (const statement of statements) await intruder.query(statement);
    await intruder.end();
  }
  return house.house.store.read(verifyStore);
}

const broken = (seq: number, reason: string): StoreVerification => ({
  isIntact: false,
  entries: seq - 1,
  firstBadSeq: seq,
  reason,
  problems: [],
  accepted: [],
  areRowsChecked: expect.any(Boolean),
});

forEachStore("the chain", (open) => {
  test("[LG1] entries are numbered from one and each hash covers the one before", async () => {
    const house = await open();
    const count = await fill(house);
    const rows = await house.house.store.read((db) => listRows(db, 0, 1_000));
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: count }, (_, place) => place + 1));
    let previous = genesisHash;
    for (const row of rows) {
      expect(row.hash).toBe(hashRow(row, previous));
      previous = row.hash;
    }
  });

  test("[LG2] an untouched ledger verifies, an empty one too", async () => {
    const house = await open();
    const count = await fill(house);
    expect(count).toBeGreaterThan(10);
    expect(await verifyHouse(house.house)).toEqual({
      isIntact: true,
      entries: count,
      firstBadSeq: null,
      reason: null,
      problems: [],
      accepted: [],
      areRowsChecked: expect.any(Boolean),
      readOnlyReason: null,
    });
  });

  test.each([
    { column: "at", value: `"at" + 1` },
    { column: "stream", value: "'feedback'" },
    { column: "kind", value: "'agent.vanished'" },
    { column: "announced", value: "'agent:vanished'" },
    { column: "subject", value: "'ag_somebody'" },
    { column: "channels", value: `"channels" || ' '` },
    { column: "data", value: `replace("data", '{', '{ ')` },
    { column: "developerId", value: "'dev_somebody'" },
    { column: "callId", value: "null" },
    { column: "hash", value: `'${"f".repeat(64)}'` },
  ])("[LG3] an entry whose $column was edited is named", async ({ column, value }) => {
    const house = await open();
    await fill(house);
    const found = await tamper(house, `update "ledger" set "${column}" = ${value} where "seq" = 7`);
    expect(found).toEqual(broken(7, "entry 7 was changed"));
  });

  test("[LG3] of several edited entries the first is named, and unreadable ones do not get in the way", async () => {
    const house = await open();
    await fill(house);
    const found = await tamper(house, `update "ledger" set "data" = 'not json at all' where "seq" in (5, 9)`);
    expect(found).toEqual(broken(5, "entry 5 was changed"));
  });

  test.each([1, 4])("[LG4] entry %i that was deleted is named", async (seq) => {
    const house = await open();
    await fill(house);
    expect(await tamper(house, `delete from "ledger" where "seq" = ${seq}`)).toEqual(
      broken(seq, `entry ${seq} is missing`),
    );
  });

  test("[LG4] closing the gap behind a deleted entry does not hide it", async () => {
    const house = await open();
    const count = await fill(house);
    const moves = Array.from({ length: count - 4 }, (_, place) => place + 5).map(
      (seq) => `update "ledger" set "seq" = ${seq - 1} where "seq" = ${seq}`,
    );
    expect(await tamper(house, `delete from "ledger" where "seq" = 4`, ...moves)).toEqual(
      broken(4, "entry 4 was changed"),
    );
  });

  test("[LG5] the first of two entries that changed places is named", async () => {
    const house = await open();
    await fill(house);
    const found = await tamper(
      house,
      `update "ledger" set "seq" = -1 where "seq" = 6`,
      `update "ledger" set "seq" = 6 where "seq" = 8`,
      `update "ledger" set "seq" = 8 where "seq" = -1`,
    );
    expect(found).toEqual(broken(6, "entry 6 was changed"));
  });

  test("[LG6] a cut-off end is noticed", async () => {
    const house = await open();
    const count = await fill(house);
    const found = await tamper(house, `delete from "ledger" where "seq" > ${count - 3}`);
    expect(found).toEqual(broken(count - 2, `the end is cut off after entry ${count - 3}`));
  });

  test("[LG6] a ledger that was emptied is noticed", async () => {
    const house = await open();
    await fill(house);
    expect(await tamper(house, `delete from "ledger"`)).toEqual(broken(1, "the end is cut off after entry 0"));
  });

  test("[LG6] an entry that was added to the end is noticed, however well its hash fits", async () => {
    const house = await open();
    const count = await fill(house);
    const [last] = await house.house.store.read((db) => listRows(db, count - 1, 1));
    if (!last) throw new Error("there is no last entry");
    const added = { ...last, seq: count + 1 };
    const hash = hashRow(added, last.hash);
    const columns = `"at", "stream", "kind", "announced", "subject", "channels", "data", "developerId", "callId"`;
    const found = await tamper(
      house,
      `insert into "ledger" ("seq", "hash", ${columns})
       select ${count + 1}, '${hash}', ${columns} from "ledger" where "seq" = ${count}`,
    );
    expect(found).toEqual(broken(count + 1, `entry ${count + 1} was added from outside`));
  });

  test("[LG6] a note of the newest entry that makes no sense is noticed", async () => {
    const house = await open();
    const count = await fill(house);
    const found = await tamper(house, `update "meta" set "value" = 'nonsense' where "key" = 'ledgerHead'`);
    expect(found).toMatchObject({ isIntact: false, entries: count });
  });
});

test("[LG7] a cursor comes back as the place it was given out for", () => {
  for (const seq of [0, 1, 35, 36, 4_095, 1_000_000, Number.MAX_SAFE_INTEGER]) expect(seqOf(cursorOf(seq))).toBe(seq);
});

test.each([
  "",
  "1",
  "12",
  "abc",
  "MS4",
  "MS4x ",
  "MS4x=",
  "Mi4x",
  "MS4tMQ",
  "MS4xLjI",
  "MS4gMQ",
  "null",
  "' or 1=1 --",
  "../../etc/passwd",
  "🦊",
  "A".repeat(10_000),
  Buffer.from("1.zzzzzzzzzzzzzzzzzz").toString("base64url"),
])("[LG7] %j is no cursor of ours", (text) => {
  expect(() => seqOf(text)).toThrow(Refusal);
  expect(() => seqOf(text)).toThrow("not given out");
});
