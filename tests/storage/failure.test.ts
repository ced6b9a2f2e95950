import { join } from "node:path";
import { expect, test } from "vitest";
import { SqliteConnection } from "../../src/storage/sqlite-connection.ts";
import { isDiskFull, isStoreFailure } from "../../src/storage/sqlite-failure.ts";
import { makeFolder } from "../git/scratch.ts";

const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};

test.each([
  "insert into t values (?)",
  "insert into t values (?) returning x",
])("[DU8] a file that may not grow is known as full, whichever way '%s' is asked", async (text) => {
  const connection = new SqliteConnection(join(makeFolder(), "full.db"));
  await connection.sql("create table t (x blob) strict");
  connection.set("max_page_count = 3");
  const failure = await failureOf(() => connection.sql(text, [new Uint8Array(100_000)]));
  connection.close();
  expect(isDiskFull(failure)).toBe(true);
  expect(isStoreFailure(failure)).toBe(true);
});
