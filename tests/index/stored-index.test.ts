import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGit } from "../../src/adapters/git/open.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { openCodeindex } from "../../src/codeindex/open-codeindex.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { makeFolder, makeRepository } from "../git/scratch.ts";

const ask = {
  query: "needle",
  modes: ["code"],
  isNothing: false,
  filters: {},
  top: 5,
  contextLines: 0,
  isFull: false,
  isEverywhere: false,
  now: Date.now(),
} as const;

const watch = { signal: new AbortController().signal };

test.each([
  ["another format", (folder: string) => rewrite(join(folder, "manifest.json"), /"format":\d+/, '"format":0')],
  ["a segment that was cut off", (folder: string) => writeFileSync(join(folder, nameOf(folder, "segment-")), "cut")],
])("[IX18] an index with %s is indexed again by the next search", async (_, harm) => {
  const homeDir = makeFolder();
  const { path: root } = makeRepository();
  writeFileSync(join(root, "a.ts"), "const needle = 1;\n");
  const repository = { root, main: root };
  const open = () => openCodeindex({ homeDir, openGit: (signal) => openGit(installedGit, signal), now: Date.now });
  const first = open();
  await first.ports.build({ repository, isFromScratch: false }, watch);
  await first.close();
  const parent = join(homeDir, "index", "repositories");
  harm(join(parent, nameOf(parent, "")));
  const second = open();
  expect(await second.ports.search({ ...ask, repository }, watch)).toMatchObject({
    total: 1,
    state: { isFresh: true },
  });
  await second.close();
});

const nameOf = (folder: string, start: string): string =>
  readdirSync(folder).find((name) => name.startsWith(start)) ?? "";

const rewrite = (file: string, pattern: RegExp, text: string): void =>
  writeFileSync(file, readFileSync(file, "utf8").replace(pattern, text));

test("[IX19] an index that another machine built is taken over, and only what it does not hold is read", async () => {
  const { path: root } = makeRepository();
  writeFileSync(join(root, "a.ts"), "const needle = 1;\n");
  const ci = makeFolder();
  const other = openCodeindex({ homeDir: ci, openGit: (signal) => openGit(installedGit, signal), now: Date.now });
  await other.ports.build({ repository: { root, main: root }, isFromScratch: false }, watch);
  await other.close();
  const kept = join(ci, "index", "repositories");
  const house = await openTestHouse("sqlite");
  const build = (args: object) => house.call("build_index", { repoPath: root, useArtifacts: true, ...args });
  expect(await build({ artifactsDir: makeFolder() })).toMatchObject({ restoredArtifacts: false });
  await house.call("clean_artifacts", { repoPath: root });
  writeFileSync(join(root, "b.ts"), "const needle = 2;\n");
  const restored = await build({ artifactsDir: join(kept, nameOf(kept, "")) });
  expect(restored).toMatchObject({ restoredArtifacts: true, parsed: 1 });
  expect(await house.call("search", { repoPath: root, query: "needle", mode: "code" })).toMatchObject({ total: 2 });
});
