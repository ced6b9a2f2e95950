import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { indexCopies } from "../../src/storage/index-copy/write-copy.ts";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { git, makeFolder, makeRepository } from "../git/scratch.ts";

/** A repository with a few files that is indexed. */
async function makeIndexed(house: TestHouse): Promise<string> {
  const { path } = makeRepository();
  writeFileSync(
    join(path, "pad.ts"),
    "/** Pads text. */\nexport function leftPad(text: string): string {\n  return text;\n}\n",
  );
  writeFileSync(join(path, "notes.md"), "# Padding\n\nHow leftPad works.\n");
  git(path, "add", ".");
  git(path, "commit", "-qm", "Pad");
  await house.call("build_index", { repoPath: path });
  return path;
}

interface Report {
  parts: Record<"segments" | "vectors" | "copy" | "other", number>;
  copies: { path: string }[];
  health: { issues: string[]; hints: string[] };
}

interface Cleaned {
  totals: { indexes: number; bytes: number };
  removals: { id: string; reason: string; bytes: number }[];
  kept: { id: string; repo: string | null; isOwn: boolean; isGone: boolean }[];
  freedBytes: number;
}

test("[AR4, AR8, AR9] cache_gc removes the named index and those of nobody, and lists the others", async () => {
  const house = await openTestHouse("sqlite");
  const [own, other, gone] = [await makeIndexed(house), await makeIndexed(house), await makeIndexed(house)];
  rmSync(gone, { recursive: true });
  const gc = (more: object) => house.call<Cleaned>("cache_gc", { repoPath: own, ...more });

  const report = await gc({});
  expect(report).toMatchObject({ totals: { indexes: 3 }, removals: [], freedBytes: 0 });
  expect(report.kept.find(({ isOwn }) => isOwn)?.repo).toBe(own);
  expect(report.kept.filter(({ isOwn }) => !isOwn).map(({ repo }) => repo)).toEqual([null, null]);
  expect((await gc({ maxGb: 1 })).removals).toEqual([]);

  const dry = await gc({ maxBytes: 0, dryRun: true });
  expect(dry.removals.map(({ reason }) => reason)).toEqual(["quota", "quota"]);
  expect(dry.kept).toHaveLength(1);
  expect((await gc({})).totals.indexes).toBe(3);

  house.clock.advance(3 * 24 * 60 * 60_000);
  await house.call("repository_register", { path: other });
  const kinds = await house.eventsOf(async () => {
    const done = await gc({ maxAgeDays: 2 });
    expect(done.removals.map(({ reason }) => reason)).toEqual(["age", "age"]);
    expect(done.kept).toMatchObject([{ repo: other, isOwn: false, isGone: false }]);
    expect(done.freedBytes).toBe(done.removals.reduce((sum, { bytes }) => sum + bytes, 0));
  });
  expect(kinds).toEqual(["artifact.removed", "artifact.removed"]);
  expect(await house.refusal("search", { repoPath: own, query: "leftPad" })).toBe("NO_INDEX");
  expect(await house.call("search", { repoPath: other, query: "leftPad" })).toMatchObject({ total: 2 });
});

test("[AR5, AR8] clean_artifacts removes one index, or all when asked", async () => {
  const house = await openTestHouse("sqlite");
  const [own, other] = [await makeIndexed(house), await makeIndexed(house)];
  const clean = (more: object) => house.call<Cleaned>("clean_artifacts", { repoPath: own, ...more });
  expect((await clean({ dryRun: true })).removals).toHaveLength(1);
  expect((await clean({ dryRun: true, all: true })).removals).toHaveLength(2);
  expect(await clean({})).toMatchObject({ removals: [{ reason: "asked" }], kept: [{ isOwn: false }] });
  expect(await house.refusal("search", { repoPath: own, query: "leftPad" })).toBe("NO_INDEX");
  await house.call("search", { repoPath: other, query: "leftPad" });
  expect((await clean({ all: true })).kept).toEqual([]);
  expect(await house.refusal("search", { repoPath: other, query: "leftPad" })).toBe("NO_INDEX");
});

test("[AR8] what was removed before a call was cancelled is in the ledger all the same", async () => {
  const house = await openTestHouse("sqlite");
  const repoPath = await makeIndexed(house);
  await makeIndexed(house);
  const { codeindex } = house.house.ports;
  const [first, last] = await codeindex.listIndexes();
  let free = (): void => undefined;
  const isFree = new Promise<void>((resolve) => {
    free = resolve;
  });
  const held = codeindex.hold({ main: last?.main ?? "" }, () => isFree);
  const cancel = new AbortController();
  const kinds = await house.eventsOf(async () => {
    const cleaning = dispatch(house.house, {
      tool: "clean_artifacts",
      args: { repoPath, all: true },
      caller: house.owner,
      transport: "http",
      signal: cancel.signal,
    });
    await until(() => !existsSync(first?.folder ?? ""));
    cancel.abort();
    expect(await cleaning).toMatchObject({ failure: { code: "CANCELLED" } });
  });
  free();
  await held;
  expect(kinds).toEqual(["artifact.removed"]);
  expect(await codeindex.listIndexes()).toMatchObject([{ id: last?.id }]);
});

test("[AR3] report_artifacts tells sizes, and what is missing", async () => {
  const house = await openTestHouse("sqlite");
  const { path } = makeRepository();
  expect(await house.call("report_artifacts", { repoPath: path })).toMatchObject({
    repo: null,
    sqlite: null,
    health: { issues: ["This repository has no index."], hints: ["Build it with build_index."] },
  });
  const repoPath = await makeIndexed(house);
  await house.call("build_sqlite_index", { repoPath });
  const report = await house.call<{ repo: { bytes: number }; overall: { bytes: number } }>("report_artifacts", {
    repoPath,
  });
  expect(report).toMatchObject({
    repo: { isOwn: true },
    sqlite: { bytes: expect.any(Number) },
    health: { issues: [] },
  });
  expect(report.overall.bytes).toBeGreaterThanOrEqual(report.repo.bytes);
  const read = () => house.call<Report>("report_artifacts", { repoPath });
  const { parts } = await read();
  expect(Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)).toBe(report.repo.bytes);
  expect(parts).toMatchObject({ segments: expect.any(Number), vectors: 0 });
  expect(parts.copy).toBeGreaterThan(parts.segments);
  writeFileSync(join(repoPath, "more.ts"), "export const more = 1;\n");
  const old = { issues: ["A SQLite copy is older than the files it was made of."] };
  expect((await read()).health).toMatchObject({ ...old, hints: ["Write it again with build_sqlite_index."] });
  const { path: copy } = await house.call<{ path: string }>("build_sqlite_index", { repoPath });
  expect((await read()).health.issues).toEqual([]);
  writeFileSync(copy, "no database");
  expect((await read()).health.issues).toEqual(["The SQLite copy can't be read."]);
});

test("[AR3, AR5] a copy in another place is reported, and goes with its index unless something else took its place", async () => {
  const house = await openTestHouse("sqlite");
  const [repoPath, other] = [await makeIndexed(house), await makeIndexed(house)];
  const build = async (path: string, out: string) =>
    (await house.call<{ path: string }>("build_sqlite_index", { repoPath: path, out })).path;
  const [kept, taken] = [await build(repoPath, "copies/a.sqlite"), await build(repoPath, "copies/b.sqlite")];
  await build(other, "copies/b.sqlite");
  expect((await house.call<Report>("report_artifacts", { repoPath })).copies).toMatchObject([{ path: kept }]);
  expect(await house.call("clean_artifacts", { repoPath, dryRun: true })).toMatchObject({
    removals: [{ copies: [kept] }],
  });
  expect(existsSync(kept)).toBe(true);
  await house.call("repository_register", { path: repoPath });
  expect(await house.call("clean_artifacts", { repoPath })).toMatchObject({ removals: [{ copies: [kept] }] });
  expect([kept, taken].map((path) => existsSync(path))).toEqual([false, true]);
});

test("[AR6] bootstrap says what became of each step", async () => {
  const house = await openTestHouse("sqlite");
  const { path: repoPath } = makeRepository();
  const { ok, steps } = await house.call<{ ok: boolean; steps: { name: string; status: string }[] }>("bootstrap", {
    repoPath,
    withSqlite: true,
    skipDicts: true,
  });
  expect(ok).toBe(true);
  expect(Object.fromEntries(steps.map(({ name, status }) => [name, status]))).toEqual({
    install: "skipped",
    dictionaries: "skipped",
    extensions: "done",
    tooling: "done",
    artifacts: "skipped",
    index: "done",
    sqlite: "done",
  });
  const second = makeRepository().path;
  expect(await house.call("bootstrap", { repoPath: second, skipIndex: true, withSqlite: true })).toMatchObject({
    ok: false,
    steps: expect.arrayContaining([{ name: "sqlite", status: "failed", message: expect.stringContaining("NO_INDEX") }]),
  });
});

test("[SQ1, SQ2] a copy can be read by any program, and only what has changed is written again", async () => {
  const house = await openTestHouse("sqlite");
  const repoPath = await makeIndexed(house);
  const build = () => house.call<{ path: string }>("build_sqlite_index", { repoPath });
  const first = await build();
  expect(first).toMatchObject({ removed: 0, written: expect.any(Number) });
  const ask = (statement: string) => {
    const db = new DatabaseSync(first.path, { readOnly: true });
    const rows = db.prepare(statement).all();
    db.close();
    return rows;
  };
  const found = "select path, c.name from chunk_fts f join chunk c on c.id = f.rowid join file on file.id = c.file_id";
  expect(ask(`${found} where chunk_fts match 'leftPad' and mode = 'code'`)).toMatchObject([
    { path: "pad.ts", name: "leftPad" },
  ]);
  expect(ask("select value from meta where key = 'repo'")).toMatchObject([{ value: repoPath }]);

  writeFileSync(join(repoPath, "pad.ts"), "export function rightPad(): void {}\n");
  rmSync(join(repoPath, "notes.md"));
  expect(await build()).toMatchObject({ written: 1, removed: 1 });
  expect(ask(`${found} where chunk_fts match 'leftPad'`)).toEqual([]);
  expect(ask(`${found} where chunk_fts match 'rightPad'`)).toHaveLength(1);
  const folder = join(first.path, "..");
  expect(readdirSync(folder).filter((name) => name.includes("copy"))).toEqual(["copy.sqlite"]);
});

test("[SQ1, SQ3, SQ4] build_sqlite_index and compact_sqlite_index answer NO_INDEX without one, and build_sqlite_index is FORBIDDEN elsewhere", async () => {
  const house = await openTestHouse("sqlite");
  const { path } = makeRepository();
  expect(await house.refusal("build_sqlite_index", { repoPath: path })).toBe("NO_INDEX");
  const repoPath = await makeIndexed(house);
  expect(await house.refusal("compact_sqlite_index", { repoPath })).toBe("NO_INDEX");
  for (const out of [join(repoPath, "a.db"), "../a.db", "crewdeck.db", "index/repositories/a.db"]) {
    expect(await house.refusal("build_sqlite_index", { repoPath, out })).toBe("FORBIDDEN");
  }
  const { path: out } = await house.call<{ path: string }>("build_sqlite_index", { repoPath, out: "exports/a.db" });
  expect(existsSync(out)).toBe(true);
  expect(
    await house.call("build_sqlite_index", { repoPath, out: "exports/a.db", mode: "code", compact: true }),
  ).toMatchObject({ path: out, compacted: true, bytes: readFileSync(out).length });
});

test("[SQ4] compact_sqlite_index keeps a backup when asked", async () => {
  const house = await openTestHouse("sqlite");
  const repoPath = await makeIndexed(house);
  const { path } = await house.call<{ path: string }>("build_sqlite_index", { repoPath });
  const before = readFileSync(path);
  expect(await house.call("compact_sqlite_index", { repoPath, dryRun: true })).toMatchObject({
    before: before.length,
    after: null,
  });
  await house.call("compact_sqlite_index", { repoPath, keepBackup: true });
  expect(readFileSync(`${path}.bak`)).toEqual(before);
  await house.call("compact_sqlite_index", { repoPath });
  expect(existsSync(`${path}.bak`)).toBe(false);
});

test("[SQ9] a copy that is cancelled while it is checked or compacted leaves the one that was there", async () => {
  const house = await openTestHouse("sqlite");
  const repoPath = await makeIndexed(house);
  const { path } = await house.call<{ path: string }>("build_sqlite_index", { repoPath });
  const before = readFileSync(path);
  const cancel = new AbortController();
  const { signal } = cancel;
  const chunks = house.house.ports.codeindex.readChunks({ root: repoPath, main: repoPath }, signal);
  const ask = { mode: "all", isIncremental: false, meta: {}, signal } as const;
  // Whoever waits for an answer here is heard before the check has ended.
  const progress = (_done: number, _total: number, message: string): void => {
    if (message.startsWith("Verifying")) setImmediate(() => cancel.abort());
  };
  await expect(indexCopies.write(path, { ...ask, progress }, chunks)).rejects.toThrow();
  await expect(indexCopies.compact(path, { keepsBackup: false, signal })).rejects.toThrow();
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(join(path, "..")).filter((name) => name.includes("copy"))).toEqual(["copy.sqlite"]);
});

test("[SQ5] the backends sqlite and sqlite-fts find what the copy holds", async () => {
  const house = await openTestHouse("sqlite");
  const repoPath = await makeIndexed(house);
  const search = (backend: string, query = "leftPad") =>
    house.call<Record<string, unknown>>("search", { repoPath, query, backend });
  expect(await house.refusal("search", { repoPath, query: "leftPad", backend: "sqlite" })).toBe("NO_INDEX");
  await house.call("build_index", { repoPath, sqlite: true });
  const { code, prose, total } = await search("memory");
  const same = (hits: unknown) => (hits as object[]).map((hit) => ({ ...hit, score: expect.any(Number) }));
  for (const backend of ["sqlite", "sqlite-fts"]) {
    expect(await search(backend)).toMatchObject({ backend, code: same(code), prose: same(prose), total });
    expect(await search(backend)).toMatchObject({ index: { isFresh: true } });
  }
  writeFileSync(join(repoPath, "new.ts"), "export const freshlyAdded = 1;\n");
  expect(await search("memory", "freshlyAdded")).toMatchObject({ total: 1 });
  expect(await search("sqlite", "freshlyAdded")).toMatchObject({ total: 0, code: [], index: { isFresh: false } });
});

test("[SQ8] what a copy of one mode does not hold is NO_INDEX or named in a warning, never silently empty", async () => {
  const house = await openTestHouse("sqlite");
  const repoPath = await makeIndexed(house);
  await house.call("build_sqlite_index", { repoPath, mode: "code" });
  const ask = { repoPath, query: "leftPad", backend: "sqlite" };
  expect(await house.refusal("search", { ...ask, mode: "prose" })).toBe("NO_INDEX");
  expect(await house.call("search", ask)).toMatchObject({ warnings: [{ code: "mode_missing" }] });
  expect(await house.call("search", { ...ask, mode: "code" })).toMatchObject({ warnings: [] });
});

test("[AR4, AR5, AR6] cache_gc, clean_artifacts, report_artifacts, bootstrap, build_sqlite_index and compact_sqlite_index answer INVALID_REQUEST for what is no repository", async () => {
  const house = await openTestHouse("sqlite");
  const repoPath = makeFolder();
  const tools = [
    "cache_gc",
    "clean_artifacts",
    "report_artifacts",
    "bootstrap",
    "build_sqlite_index",
    "compact_sqlite_index",
  ];
  for (const tool of tools) expect(await house.refusal(tool, { repoPath })).toBe("INVALID_REQUEST");
  // Off loopback, and nobody has registered it.
  const open = await openTestHouse("sqlite", { ports: { project: projectPorts(false) } });
  for (const tool of tools) expect(await open.refusal(tool, { repoPath })).toBe("FORBIDDEN");
});
