import { expect, test } from "vitest";
import { isTestFile } from "../../src/search/test-files.ts";

test("[PA21] tests are known by their folders and names", () => {
  const tests = ["tests/store.py", "lib/Tests/Store.cs", "lib/__tests__/a.js", "pkg/testdata/a.json", "test_store.py"];
  tests.push("lib/store_test.go", "lib/store.spec.ts", "tests/fixtures/a.sql", "conftest.py", "lib/StoreTest.java");
  expect(tests.filter((path) => !isTestFile(path))).toEqual([]);
  const others = ["lib/contest.py", "lib/latest.ts", "lib/attestation/a.go", "lib/fixtures.py", "lib/Test.java"];
  expect(others.filter(isTestFile)).toEqual([]);
});
