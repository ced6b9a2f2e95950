import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openGit } from "../../src/adapters/git/open.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { openCodeindex } from "../../src/codeindex/open-codeindex.ts";
import { ensureBuilt } from "../cli/program.ts";
import { makeFolder, makeRepository } from "../git/scratch.ts";

beforeAll(ensureBuilt);

const programs = join(import.meta.dirname, "programs");

async function killIn(program: string, homeDir: string, root: string, when: number | string): Promise<void> {
  const args = [join(programs, program), homeDir, root, String(when)];
  const [, signal] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "close");
  expect(signal).toBe("SIGKILL");
}

test("[IX13] a build that is killed at any moment leaves the index that was there before", async () => {
  const homeDir = makeFolder();
  const { path: root } = makeRepository();
  for (let file = 0; file < 60; file += 1) {
    writeFileSync(join(root, `f${file}.ts`), `export function name${file}() {\n  return needle;\n}\n`);
  }
  const repository = { root, main: root };
  for (const afterMs of [0, 20, 60, 130]) {
    await killIn("build-index.mjs", homeDir, root, afterMs);
    const index = openCodeindex({ homeDir, openGit: (signal) => openGit(installedGit, signal), now: Date.now });
    const watch = { signal: new AbortController().signal };
    const found = await index.ports.search({ ...ask, repository }, watch);
    expect([found.total, found.state.isFresh], `killed after ${afterMs} ms`).toEqual([60, true]);
    await index.close();
  }
});

test("[IX13, IX17] killed at any moment while edits are indexed, saved and put together, the next search is right", async () => {
  const homeDir = makeFolder();
  const { path: root } = makeRepository();
  for (let file = 0; file < 60; file += 1) writeFileSync(join(root, `f${file}.ts`), `const needle = ${file};\n`);
  const repository = { root, main: root };
  const open = () => openCodeindex({ homeDir, openGit: (signal) => openGit(installedGit, signal), now: Date.now });
  const watch = { signal: new AbortController().signal };
  const first = open();
  await first.ports.build({ repository, isFromScratch: false }, watch);
  await first.close();
  for (const afterMs of [250, 400, 700, 1_100]) {
    await killIn("edit-index.mjs", homeDir, root, afterMs);
    const index = open();
    const found = await index.ports.search({ ...ask, repository }, watch);
    expect([found.total, found.state.isFresh], `killed after ${afterMs} ms`).toEqual([60, true]);
    const edited = await index.ports.search({ ...ask, query: "edited", repository }, watch);
    expect(edited.total).toBe(countEdited(root));
    await index.close();
  }
});

test("[IX13, IX17] killed at any step of writing what was put together, the next search is right", async () => {
  const { path: root } = makeRepository();
  for (let file = 0; file < 60; file += 1) writeFileSync(join(root, `f${file}.ts`), `const needle = ${file};\n`);
  const repository = { root, main: root };
  const watch = { signal: new AbortController().signal };
  for (const [when, held] of [
    ["segment-", 7],
    ["manifest", 1],
  ] as const) {
    const homeDir = makeFolder();
    const open = () => openCodeindex({ homeDir, openGit: (signal) => openGit(installedGit, signal), now: Date.now });
    const first = open();
    await first.ports.build({ repository, isFromScratch: true }, watch);
    await first.close();
    await killIn("edit-index.mjs", homeDir, root, when);
    const folder = join(homeDir, "index", "repositories", readdirSync(join(homeDir, "index", "repositories"))[0] ?? "");
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as { segments: object[] };
    const written = readdirSync(folder).filter((name) => name.startsWith("segment-"));
    expect([manifest.segments.length, written.length > held], when).toEqual([held, true]);
    const index = open();
    const found = await index.ports.search({ ...ask, repository }, watch);
    expect([found.total, found.state.isFresh], when).toEqual([60, true]);
    const edited = await index.ports.search({ ...ask, query: "edited", repository }, watch);
    expect(edited.total, when).toBe(countEdited(root));
    await index.close();
  }
});

const countEdited = (root: string): number =>
  Array.from({ length: 60 }, (_, file) => readFileSync(join(root, `f${file}.ts`), "utf8")).filter((text) =>
    text.includes("edited"),
  ).length;

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

test("[IX10] eight searches during a build are answered from what was there, each of them right", async () => {
  const { path: root } = makeRepository();
  for (let file = 0; file < 60; file += 1) writeFileSync(join(root, `f${file}.ts`), `const needle = ${file};\n`);
  const repository = { root, main: root };
  const index = openCodeindex({
    homeDir: makeFolder(),
    openGit: (signal) => openGit(installedGit, signal),
    now: Date.now,
  });
  const watch = { signal: new AbortController().signal };
  await index.ports.build({ repository, isFromScratch: false }, watch);
  const building = index.ports.build({ repository, isFromScratch: true }, watch);
  const found = await Promise.all(Array.from({ length: 8 }, () => index.ports.search({ ...ask, repository }, watch)));
  expect(found.map(({ total }) => total)).toEqual(Array(8).fill(60));
  await building;
  await index.close();
});
