import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CollisionId } from "../../src/contract/ids.ts";
import { isKeptApart } from "../../src/domain/claim/rules.ts";
import type { Collision } from "../../src/domain/forecast/model.ts";
import { planCollisions } from "../../src/domain/forecast/rules.ts";
import { git, writeIn } from "../git/scratch.ts";
import { commitIn, lines, listAll, listConflicts, openScene } from "./scene.ts";

test("[FC1] one file that two rename to different names is a conflict", async () => {
  const scene = openScene({ "a.txt": lines() });
  for (const name of ["one", "two"]) {
    const worktree = scene.worktree(name);
    git(worktree, "mv", "a.txt", `${name}.txt`);
    git(worktree, "commit", "-qm", "rename");
  }
  expect(await scene.verdict("one", "two")).toBe("conflict");
});

test("[FC1] committed work that git cannot merge is in conflict, with the file named", async () => {
  const scene = openScene({ "a.txt": lines(), "b.txt": lines() });
  commitIn(scene.worktree("one"), { "a.txt": lines({ 5: "mine" }) });
  commitIn(scene.worktree("two"), { "a.txt": lines({ 5: "theirs" }), "b.txt": lines({ 1: "more" }) });
  const { meetings } = await scene.look();
  expect(meetings).toEqual([
    {
      between: [join(scene.around, "one"), join(scene.around, "two")],
      verdict: "conflict",
      places: [{ path: "a.txt", heading: expect.anything() }],
    },
  ]);
});

test("[FC1] what is not committed counts: changed, staged, untracked and deleted files", async () => {
  const scene = openScene({ "a.txt": lines(), "b.txt": lines(), "c.txt": lines() });
  const one = scene.worktree("one");
  const two = scene.worktree("two");
  writeIn(one, "a.txt", lines({ 5: "mine" }));
  writeIn(two, "a.txt", lines({ 5: "theirs" }));
  git(two, "add", "a.txt");
  writeIn(one, "new.txt", "mine\n");
  writeIn(two, "new.txt", "theirs\n");
  rmSync(join(one, "b.txt"));
  writeIn(two, "b.txt", lines({ 9: "changed" }));
  const [meeting] = (await scene.look()).meetings;
  expect(meeting?.verdict).toBe("conflict");
  expect(meeting?.places.map(({ path }) => path).sort()).toEqual(["a.txt", "b.txt", "new.txt"]);
});

test("[FC1] a conflict is gone once it is solved", async () => {
  const scene = openScene({ "a.txt": lines() });
  commitIn(scene.worktree("one"), { "a.txt": lines({ 5: "mine" }) });
  const two = scene.worktree("two");
  commitIn(two, { "a.txt": lines({ 5: "theirs" }) });
  expect(await scene.verdict("one", "two")).toBe("conflict");
  writeIn(two, "a.txt", lines({ 40: "elsewhere" }));
  expect(await scene.verdict("one", "two")).toBe("same-file");
});

test("[FC36, FC4] union, binary and unmerged files count as git counts them, in every folder, and no driver runs", async () => {
  const scene = openScene({
    ".gitattributes": "CHANGELOG.md merge=union\n*.lock -merge\n*.own merge=own\n",
    "docs/.gitattributes": "*.txt merge=union\n/deep/a.txt merge\n",
    "CHANGELOG.md": "news\n",
    "a.lock": lines(),
    "a.own": lines(),
    "docs/list.txt": "docs\n",
    "docs/deep/a.txt": "docs\n",
  });
  const ran = join(scene.around, "ran");
  scene.git("config", "merge.own.driver", `touch ${ran}; true`);
  const folders = ["one", "two"].map((name) => scene.worktree(name));
  for (const folder of folders) {
    const name = folder.slice(-3);
    for (const file of ["CHANGELOG.md", "docs/list.txt", "docs/deep/a.txt"]) writeIn(folder, file, `${name}\n`);
    for (const file of ["a.lock", "a.own"]) writeIn(folder, file, lines({ [name === "one" ? 5 : 50]: name }));
    commitIn(folder, {});
  }
  const conflicts = async () => (await scene.look()).meetings.flatMap(({ places }) => places.map(({ path }) => path));
  expect(await conflicts()).toEqual(["a.lock", "docs/deep/a.txt"]);
  scene.git("config", "--remove-section", "merge.own");
  const [one = ""] = folders;
  expect(listConflicts(one, "one", "two")).toEqual(["a.lock", "docs/deep/a.txt"]);
  // What is not committed yet is how it lies in the folder.
  writeIn(one, ".gitattributes", "*.lock merge\n");
  expect(await conflicts()).toEqual(["CHANGELOG.md", "docs/deep/a.txt"]);
  expect(existsSync(ran)).toBe(false);
});

test("[FC2] within ten lines is near, in the same function too, further away is only the same file", async () => {
  const body = (mark: string, at: number): string =>
    Array.from({ length: 40 }, (_, line) => `  step(${line === at ? mark : line});\n`).join("");
  const program = (one: string, other: string) => `function pay() {\n${one}}\n\nfunction ship() {\n${other}}\n`;
  const plain = body("", -1);
  const scene = openScene({ "a.txt": lines(), "shop.js": program(plain, plain) });
  commitIn(scene.worktree("early"), { "a.txt": lines({ 5: "x" }), "shop.js": program(body('"x"', 2), plain) });
  commitIn(scene.worktree("close"), { "a.txt": lines({ 12: "y" }) });
  commitIn(scene.worktree("far"), { "a.txt": lines({ 50: "z" }) });
  commitIn(scene.worktree("same"), { "shop.js": program(body('"y"', 35), plain) });
  commitIn(scene.worktree("other"), { "shop.js": program(plain, body('"y"', 35)) });
  expect(await scene.verdict("early", "close")).toBe("near");
  expect(await scene.verdict("early", "far")).toBe("same-file");
  expect(await scene.verdict("early", "same")).toBe("near");
  expect(await scene.verdict("early", "other")).toBe("same-file");
  expect(await scene.verdict("close", "same")).toBeUndefined();
});

test("[FC2] work that stands on other work is not near it", async () => {
  const scene = openScene({ "a.txt": lines() });
  commitIn(scene.worktree("one"), { "a.txt": lines({ 5: "first" }) });
  commitIn(scene.worktree("two", "one"), { "a.txt": lines({ 5: "first", 6: "second" }) });
  expect(await scene.verdict("one", "two")).toBe("same-file");
});

test("[FC3] a missing object makes one pair unknown and leaves the others as they are", async () => {
  const scene = openScene({ "a.txt": lines() });
  const broken = scene.worktree("broken");
  commitIn(broken, { "a.txt": lines({ 7: "lost" }) });
  const blob = git(broken, "rev-parse", "HEAD:a.txt");
  commitIn(scene.worktree("one"), { "a.txt": lines({ 5: "mine" }) });
  commitIn(scene.worktree("two"), { "a.txt": lines({ 5: "theirs" }) });
  rmSync(join(scene.path, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
  expect(await scene.verdict("broken", "one")).toBe("unknown");
  expect(await scene.verdict("broken", "two")).toBe("unknown");
  expect(await scene.verdict("one", "two")).toBe("conflict");
});

test("[FC37] pairs beyond those that one look tries are unknown, not clear, and tried by the next looks", async () => {
  const scene = openScene({ "a.txt": lines() }, { mostMerges: 2 });
  const folders = ["a", "b", "c", "d"].map((name) => scene.worktree(name));
  for (const folder of folders) commitIn(folder, { "a.txt": lines({ 5: folder }) });
  const count = async (verdict: string): Promise<number> =>
    (await scene.look()).meetings.filter((meeting) => meeting.verdict === verdict).length;
  const outlook = await scene.look();
  expect(outlook.meetings.map(({ verdict }) => verdict).sort()).toEqual([
    ...["conflict", "conflict"],
    ...["unknown", "unknown", "unknown", "unknown"],
  ]);
  for (const { between, verdict } of outlook.meetings) {
    const [one, other] = between;
    expect(isKeptApart(outlook, one, other)).toBe(false);
    const known = { ...collision, one, other };
    expect(planCollisions([known], outlook).ended, verdict).toEqual([]);
  }
  expect(await count("conflict")).toBe(4);
  expect(await count("conflict")).toBe(6);
  // Only what has changed is tried again.
  writeIn(folders[3] ?? "", "a.txt", lines({ 5: "more" }));
  expect(await count("unknown")).toBe(1);
  expect(await count("conflict")).toBe(6);
});

const collision: Collision = {
  id: CollisionId.parse("col_1"),
  place: "here",
  repositoryPath: "/shop",
  one: "/one",
  other: "/other",
  baseBranch: null,
  verdict: "conflict",
  places: [],
  since: 0,
  told: [],
  createdAt: 0,
  endedAt: null,
  version: 1,
};

test("[FC4] the repository and its worktrees are the same before and after, and nothing they configure runs", async () => {
  const scene = openScene({ "a.txt": lines(), ".gitattributes": "*.txt merge=bad diff=bad\n" });
  const trap = join(scene.around, "trap");
  for (const key of ["merge.bad.driver", "diff.bad.command", "core.fsmonitor", "filter.bad.clean"]) {
    scene.git("config", key, `touch ${trap}`);
  }
  const one = scene.worktree("one");
  commitIn(scene.worktree("two"), { "a.txt": lines({ 5: "theirs" }) });
  writeIn(one, "a.txt", lines({ 5: "mine" }));
  writeIn(one, "new.txt", "new\n");
  const before = listAll(scene.around);
  expect(await scene.verdict("one", "two")).toBe("conflict");
  expect(listAll(scene.around)).toEqual(before);
});

test("[FC5] a worktree in the middle of a merge is left out and says so", async () => {
  const scene = openScene({ "a.txt": lines() });
  const one = scene.worktree("one");
  commitIn(one, { "a.txt": lines({ 5: "mine" }) });
  commitIn(scene.worktree("two"), { "a.txt": lines({ 5: "theirs" }) });
  expect(() => git(one, "merge", "two")).toThrow();
  const { worktrees, meetings } = await scene.look();
  expect(meetings).toEqual([]);
  expect(worktrees.find(({ branch }) => branch === "one")).toMatchObject({ leftOutFor: "unsettled" });
});

test("[FC6] a file that a program would turn into something else is not read, and is a conflict when both change it", async () => {
  const scene = openScene({ "a.txt": lines(), "model.bin": "pointer\n", ".gitattributes": "*.bin filter=lfs\n" });
  const one = scene.worktree("one");
  const two = scene.worktree("two");
  writeIn(one, "model.bin", "weights of mine");
  expect((await scene.look()).meetings).toEqual([]);
  writeIn(two, "model.bin", "weights of theirs, more of them");
  expect(await scene.verdict("one", "two")).toBe("conflict");
});

test("[FC7] a conflict with what the base has got meanwhile is told to the one who is behind", async () => {
  const scene = openScene({ "a.txt": lines(), "b.txt": lines() });
  commitIn(scene.worktree("late"), { "a.txt": lines({ 5: "mine" }), "b.txt": lines({ 3: "x" }) });
  commitIn(scene.path, { "a.txt": lines({ 5: "merged" }) }, "A change on main");
  commitIn(scene.worktree("fresh"), { "b.txt": lines({ 40: "y" }) });
  const { meetings, worktrees } = await scene.look();
  expect(meetings.map(({ verdict }) => verdict)).toEqual(["same-file"]);
  expect(worktrees.find(({ branch }) => branch === "late")?.behind).toMatchObject({ conflicts: ["a.txt"] });
});

test("[FC8] a worktree knows how far it is behind, and what of that concerns it", async () => {
  const scene = openScene({ "a.txt": lines(), "b.txt": lines() });
  commitIn(scene.worktree("late"), { "a.txt": lines({ 5: "mine" }) });
  commitIn(scene.path, { "b.txt": lines({ 1: "b" }) }, "Not theirs");
  commitIn(scene.path, { "a.txt": lines({ 50: "a" }) }, "Theirs");
  const { worktrees } = await scene.look();
  expect(worktrees.find(({ branch }) => branch === "late")?.behind).toEqual({
    commits: 2,
    concerning: 1,
    functions: 0,
    symbols: 0,
    newest: [
      {
        commit: git(scene.path, "rev-parse", "HEAD"),
        author: "Ada Example",
        subject: "Theirs",
        path: "a.txt",
        why: "file",
        name: null,
      },
    ],
    conflicts: [],
  });
  expect(worktrees.find(({ branch }) => branch === "main")?.behind).toMatchObject({ commits: 0, concerning: 0 });
});

test("[FC8] what concerns a worktree is told by its strongest reason: a name it counts on, a function, a file", async () => {
  const body = (name: string, first = "1", last = "2") =>
    `func ${name}() int {\n\tvalue := ${first}\n${"\tvalue += 1\n".repeat(30)}\tvalue = ${last}\n\treturn value\n}\n\n`;
  const cart = (one = body("TotalOfCart"), other = body("RoundOfCart")) => `package shop\n\n${one}${other}`;
  const money = (name: string) => `package shop\n\nfunc ${name}(amount int) int {\n\treturn amount\n}\n`;
  const scene = openScene({ "cart.go": cart(), "money.go": money("roundCents"), "notes.txt": "1\n" });
  const late = scene.worktree("late");
  const bill = "package shop\n\nfunc BillOfCart() int {\n\treturn roundCents(3)\n}\n";
  commitIn(late, { "cart.go": cart(body("TotalOfCart", "7")), "bill.go": bill, "tax.go": money("taxOfCart") });
  commitIn(scene.path, { "money.go": money("toCents") }, "Rename");
  commitIn(scene.path, { "notes.txt": "2\n", "tea.go": money("makeTea") }, "Neither");
  commitIn(scene.path, { "cart.go": cart(body("TotalOfCart", "1", "8")) }, "Same function");
  commitIn(scene.path, { "cart.go": cart(body("TotalOfCart", "1", "8"), body("RoundOfCart", "9")) }, "Same file");
  commitIn(scene.path, { "money.go": `${money("toCents")}\n// Whole cents.\n` }, "Says more");
  const { worktrees } = await scene.look();
  const behind = worktrees.find(({ branch }) => branch === "late")?.behind;
  expect(behind).toMatchObject({ commits: 5, concerning: 3, functions: 1, symbols: 1 });
  expect(behind?.newest.map(({ subject, why, path, name }) => [subject, why, path, name])).toEqual([
    ["Rename", "symbol", "money.go", "roundCents"],
    ["Same function", "function", "cart.go", expect.stringContaining("func TotalOfCart")],
    ["Same file", "file", "cart.go", null],
  ]);

  // The other way round: what was pushed meanwhile uses what this worktree is about to rename.
  const renaming = scene.worktree("renaming");
  commitIn(renaming, { "money.go": money("wholeCents") });
  const fee = "package shop\n\nfunc FeeOfCart() int {\n\treturn toCents(1)\n}\n";
  commitIn(scene.path, { "fee.go": fee }, "New caller");
  const again = (await scene.look()).worktrees.find(({ branch }) => branch === "renaming")?.behind;
  expect(again?.newest).toMatchObject([{ subject: "New caller", why: "symbol", path: "fee.go", name: "toCents" }]);
});
