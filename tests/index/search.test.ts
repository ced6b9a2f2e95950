import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { git, makeFolder, makeRepository } from "../git/scratch.ts";

interface Hit {
  readonly file: string;
  readonly headline: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly worktree?: string;
  readonly branch?: string;
}

interface Found {
  readonly code?: readonly Hit[];
  readonly prose?: readonly Hit[];
  readonly extractedProse?: readonly Hit[];
  readonly total: number;
  readonly index: { readonly isFresh: boolean };
  readonly warnings: readonly { readonly code: string }[];
  readonly bundles: readonly { readonly file: string }[];
}

function write(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

async function open(files: Readonly<Record<string, string | Buffer>> = {}) {
  const { path: repoPath } = makeRepository();
  write(repoPath, files);
  git(repoPath, "add", "-A");
  git(repoPath, "commit", "-q", "-m", "Files", "--allow-empty");
  const house = await openTestHouse("sqlite");
  return { house, repoPath };
}

const filesOf = async (house: TestHouse, args: Record<string, unknown>): Promise<string[]> => {
  const found = await house.call<Found>("search", { mode: "code", top: 100, ...args });
  return [...new Set((found.code ?? []).map(({ file }) => file))].sort();
};

test("[IX1] search is NO_INDEX before the first build", async () => {
  const { house, repoPath } = await open();
  const reply = await house.reply("search", { repoPath, query: "anything" });
  expect(reply).toMatchObject({
    ok: false,
    failure: { code: "NO_INDEX", hint: expect.stringContaining("build_index") },
  });
});

test("[IX2, IX3, IX4] hits say where they are, and lists, total and bundles go together", async () => {
  const { house, repoPath } = await open({
    "src/queue.ts": "// A queue.\nexport function pushItem(item: string) {\n  return items.push(item);\n}\n",
    "src/other.ts": "export const item = 1;\n",
    "README.md": "# Queue\n\nPush an item.\n",
  });
  const built = await house.call("build_index", { repoPath });
  expect(built).toMatchObject({ repo: repoPath, mode: "all", sqlite: false, restoredArtifacts: false, skipped: [] });
  const found = await house.call<Found>("search", { repoPath, query: "item", context: 1, output: "full" });
  expect(found.code?.[0]).toMatchObject({
    file: "src/queue.ts",
    ext: ".ts",
    lang: "typescript",
    headline: "export function pushItem(item: string) {",
    line: 2,
    endLine: 4,
    text: expect.stringContaining("items.push"),
    context: { after: [] },
  });
  expect(found.prose?.map(({ file }) => file)).toEqual(["README.md"]);
  expect(found.bundles.map(({ file }) => file).sort()).toEqual(["README.md", "src/other.ts", "src/queue.ts"]);
  const one = await house.call<Found>("search", { repoPath, query: "item", mode: "code", top: -3 });
  expect(one).toMatchObject({ code: [{ file: "src/queue.ts" }], total: 2 });
  expect(one).not.toHaveProperty("prose");
  expect(await house.refusal("search", { repoPath, query: " " })).toBe("INVALID_REQUEST");
  expect(await filesOf(house, { repoPath, query: "", ext: "ts" })).toEqual(["src/other.ts", "src/queue.ts"]);
});

test("[QG1, QG2, QG3, QG4, QG5] operators, phrases and patterns find what a scan finds", async () => {
  const { house, repoPath } = await open({
    "a.ts": "const alphaBeta = 1; // one two\n",
    "b.ts": "const alpha = gamma(2);\n",
    "c.ts": "const Gamma = 'one  two';\n",
  });
  await house.call("build_index", { repoPath });
  const cases: [string, string[]][] = [
    ["alpha", ["a.ts", "b.ts"]],
    ["ALPHA gamma", ["b.ts"]],
    ["alpha -gamma", ["a.ts"]],
    ["beta OR gamma", ["a.ts", "b.ts", "c.ts"]],
    ["(beta OR gamma) NOT const", []],
    ['"one two"', ["a.ts"]],
    ["gamma(", ["b.ts"]],
    ["phaBe", ["a.ts"]],
    ["/gam+a\\(\\d/", ["b.ts"]],
    ["/GAMMA/", []],
    ["/GAMMA/i", ["b.ts", "c.ts"]],
    ["nothing\nalpha", ["a.ts", "b.ts"]],
  ];
  for (const [query, files] of cases) expect(await filesOf(house, { repoPath, query }), query).toEqual(files);
  expect(await filesOf(house, { repoPath, query: "gamma", case: true })).toEqual(["b.ts"]);
  for (const query of ['"open', "(a", "a)", "-(a b)", "NOT (a)", "a OR", "AND a", "/(/", `/${"a".repeat(1_001)}/`]) {
    expect(await house.refusal("search", { repoPath, query }), query).toBe("INVALID_REQUEST");
  }
});

test("[IX5] filters on paths, endings and languages are combined", async () => {
  const { house, repoPath } = await open({
    "src/one.ts": "const needle = 1;\n",
    "src/two.py": "needle = 1\n",
    "lib/One.ts": "const needle = 2;\n",
  });
  await house.call("build_index", { repoPath });
  const cases: [Record<string, unknown>, string[]][] = [
    [{ path: "one" }, ["lib/One.ts", "src/one.ts"]],
    [{ path: "one", caseFile: true }, ["src/one.ts"]],
    [{ path: "/^src\\/.*\\.ts$/" }, ["src/one.ts"]],
    [{ path: ["lib/", "two"] }, ["lib/One.ts", "src/two.py"]],
    [{ file: "lib/,two" }, ["lib/One.ts", "src/two.py"]],
    [{ ext: "*.py" }, ["src/two.py"]],
    [{ ext: ["py", ".ts"], path: "src" }, ["src/one.ts", "src/two.py"]],
    [{ lang: "py" }, ["src/two.py"]],
  ];
  for (const [filter, files] of cases) {
    expect(await filesOf(house, { repoPath, query: "needle", ...filter }), JSON.stringify(filter)).toEqual(files);
  }
});

test("[IX6, IX7] what cannot be answered is refused by name", async () => {
  const { house, repoPath } = await open({ "notes.md": "# Notes\n", "a.ts": "const a = 1;\n" });
  await house.call("build_index", { repoPath });
  const refused = (args: Record<string, unknown>) => house.refusal("search", { repoPath, query: "a", ...args });
  expect(await refused({ ann: true })).toBe("CAPABILITY_MISSING");
  expect(await refused({ lint: true })).toBe("CAPABILITY_MISSING");
  expect(await refused({ lint: true, query: "" })).toBe("CAPABILITY_MISSING");
  expect(await refused({ lang: "markdown", calls: "x" })).toBe("CAPABILITY_MISSING");
  expect(await refused({ lang: "klingon" })).toBe("INVALID_REQUEST");
  expect(await refused({ backend: "sqlite" })).toBe("NO_INDEX");
  expect(await refused({ backend: "other" })).toBe("INVALID_REQUEST");
  expect(await refused({ modifiedAfter: "soon" })).toBe("INVALID_REQUEST");
  const found = await house.call<Found>("search", { repoPath, query: "a", branch: "elsewhere" });
  expect(found).toMatchObject({ total: 0, code: [], warnings: [{ code: "branch_mismatch" }] });
});

test("[IX10, IX11] a search sees what was saved before it, and nothing that is gone", async () => {
  const { house, repoPath } = await open({ "a.ts": "const first = 1;\n", "b.ts": "const kept = 1;\n" });
  await house.call("build_index", { repoPath });
  const find = (query: string) => filesOf(house, { repoPath, query });
  write(repoPath, { "a.ts": "const second = 1;\n", "new.ts": "const third = 1;\n" });
  expect([await find("first"), await find("second"), await find("third")]).toEqual([[], ["a.ts"], ["new.ts"]]);
  rmSync(join(repoPath, "new.ts"));
  rmSync(join(repoPath, "b.ts"));
  expect([await find("third"), await find("kept")]).toEqual([[], []]);
  git(repoPath, "checkout", "-q", "--", "b.ts", "a.ts");
  expect([await find("kept"), await find("first"), await find("second")]).toEqual([["b.ts"], ["a.ts"], []]);
  git(repoPath, "checkout", "-q", "-b", "side");
  git(repoPath, "mv", "b.ts", "moved.ts");
  git(repoPath, "commit", "-qm", "Move");
  expect(await find("kept")).toEqual(["moved.ts"]);
  git(repoPath, "checkout", "-q", "-");
  expect(await find("kept")).toEqual(["b.ts"]);
  expect(await house.call("build_index", { repoPath })).toMatchObject({ parsed: 0, files: expect.any(Number) });
});

test("[IX8] every worktree is searched when all are asked for", async () => {
  const { house, repoPath } = await open({ "a.ts": "const shared = 1;\n" });
  await house.call("build_index", { repoPath });
  const alone = await house.call<Found>("search", { repoPath, query: "shared", worktrees: "all", mode: "code" });
  expect(alone.code).toMatchObject([{ file: "a.ts", worktree: repoPath, branch: "main" }]);
  const side = join(makeFolder(), "side");
  git(repoPath, "worktree", "add", "-q", "-b", "side", side);
  write(side, { "b.ts": "const apart = 1;\n" });
  const search = async (query: string) =>
    (await house.call<Found>("search", { repoPath, query, worktrees: "all", mode: "code" })).code;
  expect(await search("apart")).toMatchObject([{ file: "b.ts", worktree: side, branch: "side" }]);
  expect(await search("shared")).toMatchObject([{ file: "a.ts", worktree: repoPath, alsoIn: [side] }]);
  expect(await filesOf(house, { repoPath, query: "apart" })).toEqual([]);
});

test("[IX12, IX14] what is large, binary or a link is skipped and reported, and nothing behind a link is read", async () => {
  const outside = makeFolder();
  write(outside, { "secret.ts": "const secret = 1;\n" });
  const { house, repoPath } = await open({
    "big.ts": Buffer.alloc(6 * 1024 * 1024, "const big = 1;\n"),
    "picture.png": Buffer.from([0x89, 0x50, 0, 1, 2]),
    "sub/a.ts": "const inner = 1;\n",
  });
  rmSync(join(repoPath, "sub"), { recursive: true });
  symlinkSync(outside, join(repoPath, "sub"));
  write(outside, { "a.ts": "const secret = 2;\n" });
  symlinkSync(join(outside, "secret.ts"), join(repoPath, "link.ts"));
  const built = await house.call<{ skipped: { file: string; reason: string }[] }>("build_index", { repoPath });
  expect(built.skipped.map(({ file }) => file).sort()).toEqual(expect.arrayContaining(["big.ts", "picture.png"]));
  expect(await filesOf(house, { repoPath, query: "secret" })).toEqual([]);
  expect(git(repoPath, "status", "--porcelain", "--ignored").includes("index")).toBe(false);
  const status = await house.call("index_status", { repoPath });
  expect(status).toMatchObject({ exists: true, index: { isFresh: true }, git: { isDirty: true } });
});

test("[IX13] a build that is given up leaves the index that was there", async () => {
  const { house, repoPath } = await open({ "a.ts": "const first = 1;\n" });
  await house.call("build_index", { repoPath });
  const given = new AbortController();
  given.abort();
  const repository = { root: repoPath, main: repoPath };
  const again = house.house.ports.codeindex.build({ repository, isFromScratch: true }, { signal: given.signal });
  await expect(again).rejects.toThrow();
  expect(await filesOf(house, { repoPath, query: "first" })).toEqual(["a.ts"]);
});

test("[IX17] many changes one after the other are still found, and leave few segments", async () => {
  const { house, repoPath } = await open({ "kept.ts": "const kept = 1;\n" });
  await house.call("build_index", { repoPath });
  for (let step = 0; step < 24; step += 1) {
    write(repoPath, { [`f${step % 5}.ts`]: `const word${step} = 1;\n` });
    expect(await filesOf(house, { repoPath, query: `word${step}` })).toEqual([`f${step % 5}.ts`]);
  }
  expect(await filesOf(house, { repoPath, query: "word" })).toEqual([0, 1, 2, 3, 4].map((file) => `f${file}.ts`));
  expect(await filesOf(house, { repoPath, query: "kept" })).toEqual(["kept.ts"]);
  expect(await filesOf(house, { repoPath, query: "word5" })).toEqual([]);
  const { segments } = await house.call<{ segments: number }>("index_status", { repoPath });
  expect(segments).toBeLessThanOrEqual(9);
});
