import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGit } from "../../src/adapters/git/open.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { openCodeindex } from "../../src/codeindex/open-codeindex.ts";
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
