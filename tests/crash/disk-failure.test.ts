import { expect, test } from "vitest";
import { freshLocation, openTestHouse } from "../../src/testing/house.ts";
import { type Ack, auditStore, expectWhole, isAck } from "./audit.ts";
import { type Program, startProgram } from "./program.ts";

/** Makes syncs fail from the `from`th on, of every file or of one. */
const failingSync = (from: number, onlyFile?: string): string[] => [
  "strace",
  ...["-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", `inject=fsync,fdatasync:error=EIO:when=${from}+`],
  ...(onlyFile === undefined ? [] : ["-P", onlyFile]),
];

interface Ending {
  readonly acks: readonly Ack[];
  readonly refusals: readonly string[];
  readonly last: unknown;
}

async function endingOf(program: Program): Promise<Ending> {
  expect(await program.ended, program.errors).toEqual({ code: 0, signal: null });
  return {
    acks: program.lines.filter(isAck),
    refusals: program.lines.flatMap((line) => (line as { refused?: string }).refused ?? []),
    last: program.lines.at(-1),
  };
}

/** After a restart on a good disk everything acknowledged is there and the store takes changes again. */
async function expectGoodRestart(location: string, acks: readonly Ack[]): Promise<void> {
  const house = await openTestHouse("sqlite", { location });
  expectWhole(await house.house.store.read((db) => auditStore(db, acks)));
  expect(house.house.store.readOnlyReason).toBeNull();
  await house.house.store.transact(async (db) => {
    await db.run(db.q.insertInto("meta").values({ key: "after", value: "" }));
    return { value: null, entries: [] };
  });
}

test.each([
  20, 21, 25,
])("[DU6] when syncs fail from the %ith on the store goes read-only and keeps reading", async (from) => {
  const location = freshLocation("sqlite");
  const ending = await endingOf(startProgram("fail", { location, calls: 40 }, failingSync(from)));
  expect(ending.acks.length).toBeGreaterThan(0);
  expect(ending.refusals[0]).toBe("OUTCOME_UNKNOWN");
  expect(new Set(ending.refusals.slice(1))).toEqual(new Set(["STORE_READ_ONLY"]));
  expect(ending.acks.length + ending.refusals.length).toBe(40);
  expect(ending.last).toEqual({ listed: ending.acks.length, reason: "a disk write failed" });
  await expectGoodRestart(location, ending.acks);
});

test("[DU7] a sync that fails while the log is moved makes the store read-only and loses nothing", async () => {
  const location = freshLocation("sqlite");
  const first = await openTestHouse("sqlite", { location });
  await first.house.close();
  const program = startProgram("fail", { location, calls: 150, size: 40_000 }, failingSync(1, location));
  const ending = await endingOf(program);
  expect(ending.acks.length).toBeGreaterThan(20);
  expect(new Set(ending.refusals)).toEqual(new Set(["STORE_READ_ONLY"]));
  expect(ending.last).toEqual({ listed: ending.acks.length, reason: "a disk write failed" });
  await expectGoodRestart(location, ending.acks);
});
