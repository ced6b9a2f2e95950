import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { artifactPorts } from "../../src/adapters/artifacts/ports.ts";
import { openGit } from "../../src/adapters/git/open.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { openCodeindex } from "../../src/codeindex/open-codeindex.ts";
import { indexCopies } from "../../src/storage/index-copy/write-copy.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { git, makeFolder, makeRepository } from "../git/scratch.ts";

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

  cpSync(join(kept, nameOf(kept, "")), join(root, ".crewdeck-index"), { recursive: true });
  await house.call("clean_artifacts", { repoPath: root });
  expect(await build({ incremental: false })).toMatchObject({ restoredArtifacts: false, parsed: 4, files: 4 });
  await house.call("clean_artifacts", { repoPath: root });
  const files = readdirSync(root).filter((name) => name.endsWith(".ts")).length;
  expect(await build({})).toMatchObject({ restoredArtifacts: true, parsed: 1 });
  const { total } = await house.call<{ total: number }>("search", {
    repoPath: root,
    query: "",
    path: ".crewdeck-index",
  });
  expect([files, total]).toEqual([2, 0]);
});

test("[AR10] a removal waits for those who use the index; others find none, and a build makes it anew", async () => {
  const homeDir = makeFolder();
  const { path: root } = makeRepository();
  writeFileSync(join(root, "a.ts"), "const needle = 1;\n");
  const repository = { root, main: root };
  const { ports, close } = openCodeindex({
    ...{ homeDir, now: Date.now },
    openGit: (signal) => openGit(installedGit, signal),
  });
  const build = () => ports.build({ repository, isFromScratch: false }, watch);
  const search = () => ports.search({ ...ask, repository }, watch);
  await build();
  const [index] = await ports.listIndexes();
  if (!index) throw new Error("nothing was built");
  let free = (): void => undefined;
  const isFree = new Promise<void>((resolve) => {
    free = resolve;
  });
  const copying = ports.hold(repository, async () => {
    await isFree;
    const names: string[] = [];
    for await (const { file } of ports.readChunks(repository, watch.signal)) names.push(file);
    return names;
  });

  const impatient = new AbortController();
  const cancelled = ports.removeIndex(index.id, impatient.signal);
  impatient.abort();
  await expect(cancelled).rejects.toThrow();
  const searching = search();
  const order: string[] = [];
  const removing = ports.removeIndex(index.id, watch.signal).then(() => order.push("removed"));
  await expect(search()).rejects.toMatchObject({ code: "NO_INDEX" });
  expect(await searching).toMatchObject({ total: 1, state: { isFresh: true } });
  const building = build().then(({ parsed }) => order.push(`built ${parsed}`));
  expect(existsSync(join(index.folder, "manifest.json"))).toBe(true);
  free();
  expect(await copying).toContain("a.ts");
  await Promise.all([removing, building]);
  expect(order).toEqual(["removed", "built 3"]);
  expect(await search()).toMatchObject({ total: 1 });
  await close();
});

test("[AR11] what another server removes is still searched, and a copy of it that is in hand is NO_INDEX", async () => {
  const homeDir = makeFolder();
  const { path: root } = makeRepository();
  writeFileSync(join(root, "a.ts"), "const needle = 1;\n");
  const repository = { root, main: root };
  const open = () => openCodeindex({ homeDir, openGit: (signal) => openGit(installedGit, signal), now: Date.now });
  const [own, other] = [open(), open()];
  const build = async () => {
    await own.ports.build({ repository, isFromScratch: true }, watch);
    const [index] = await own.ports.listIndexes();
    if (!index) throw new Error("nothing was built");
    return index;
  };
  const { id } = await build();
  const searching = own.ports.search({ ...ask, repository }, watch);
  await other.ports.removeIndex(id, watch.signal);
  expect(await searching).toMatchObject({ total: 1 });

  const downloads = { allow: false, hosts: [], files: {} };
  const artifact = artifactPorts({ homeDir, downloads, copies: indexCopies });
  const { folder } = await build();
  const copy = (chunks: ReturnType<typeof own.ports.readChunks>) =>
    artifact.writeCopy({ folder, out: undefined, mode: "all", isIncremental: false, meta: {}, ...watch }, chunks);
  await copy(own.ports.readChunks(repository, watch.signal));
  const removed = (async function* () {
    for await (const chunk of own.ports.readChunks(repository, watch.signal)) yield chunk;
    rmSync(folder, { recursive: true });
  })();
  await expect(copy(removed)).rejects.toMatchObject({ code: "NO_INDEX" });
  expect(await artifact.findCopy(folder)).toBeUndefined();
  await Promise.all([own.close(), other.close()]);
});

test("[IX10] what somebody stages while git is asked is found", async () => {
  const { path: root } = makeRepository();
  writeFileSync(join(root, "a.ts"), "const before = 1;\n");
  git(root, "add", "-A");
  let stage = (): void => undefined;
  const index = openCodeindex({
    homeDir: makeFolder(),
    now: Date.now,
    openGit(signal) {
      const real = openGit(installedGit, signal);
      return {
        ...real,
        run(folders, command) {
          if (command.args[0] === "status") stage();
          return real.run(folders, command);
        },
      };
    },
  });
  const repository = { root, main: root };
  await index.ports.build({ repository, isFromScratch: false }, watch);
  writeFileSync(join(root, "a.ts"), "const needle = 1;\n");
  stage = () => git(root, "add", "-A");
  expect(await index.ports.search({ ...ask, repository }, watch)).toMatchObject({ total: 1 });
  await index.close();
});
