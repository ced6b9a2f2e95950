import { expect, test } from "vitest";
import { readEffect } from "../../src/adapters/forecast/symbols/effect.ts";
import { type Family, familyOf } from "../../src/adapters/forecast/symbols/families.ts";
import { git } from "../git/scratch.ts";
import { commitIn, lines, openScene } from "./scene.ts";

const programs: Readonly<Record<string, { before: string; renamed: string; parameter: string; optional?: string }>> = {
  "pay.go": {
    before: "package shop\n\nfunc roundCents(amount int) int {\n\treturn amount\n}\n",
    renamed: "package shop\n\nfunc toCents(amount int) int {\n\treturn amount\n}\n",
    parameter: "package shop\n\nfunc roundCents(amount int, mode int) int {\n\treturn amount\n}\n",
    optional: "package shop\n\nfunc roundCents(amount int, modes ...int) int {\n\treturn amount\n}\n",
  },
  "Pay.java": {
    before: "class Pay {\n  static int roundCents(int amount) {\n    return amount;\n  }\n}\n",
    renamed: "class Pay {\n  static int toCents(int amount) {\n    return amount;\n  }\n}\n",
    parameter: "class Pay {\n  static int roundCents(int amount, Mode mode) {\n    return amount;\n  }\n}\n",
  },
  "pay.ts": {
    before: "export class Pay {\n  roundCents(amount: number): number {\n    return amount;\n  }\n}\n",
    renamed: "export class Pay {\n  toCents(amount: number): number {\n    return amount;\n  }\n}\n",
    parameter: "export class Pay {\n  roundCents(mode: Mode, amount: number): number {\n    return amount;\n  }\n}\n",
    optional: "export class Pay {\n  roundCents(amount: number, mode?: Mode): number {\n    return amount;\n  }\n}\n",
  },
  "pay.js": {
    before: "exports.roundCents = (amount) => {\n  return amount;\n};\n",
    renamed: "exports.toCents = (amount) => {\n  return amount;\n};\n",
    parameter: "exports.roundCents = (\n  mode,\n  amount,\n) => {\n  return amount;\n};\n",
    optional: "exports.roundCents = (amount, { mode } = {}) => {\n  return amount;\n};\n",
  },
  "pay.py": {
    before: "def roundCents(amount):\n    return amount\n",
    renamed: "def toCents(amount):\n    return amount\n",
    parameter: "def roundCents(mode, amount):\n    return amount\n",
    optional: "def roundCents(amount, mode=None, *more):\n    return amount\n",
  },
  "pay.rs": {
    before: "pub fn roundCents<'a>(amount: &'a u32) -> &'a u32 {\n    amount\n}\n",
    renamed: "pub fn toCents<'a>(amount: &'a u32) -> &'a u32 {\n    amount\n}\n",
    parameter: "pub fn roundCents<'a>(amount: &'a u32, mode: Mode) -> &'a u32 {\n    amount\n}\n",
  },
};

test.each(Object.entries(programs))("[FC30] what %s takes away or changes is seen", (path, program) => {
  const family = familyOf(path) as Family;
  expect(readEffect(program.before, program.renamed, family)).toMatchObject({ removed: ["roundCents"], changed: [] });
  expect(readEffect(program.before, program.parameter, family)).toMatchObject({ removed: [], changed: ["roundCents"] });
  const { optional } = program;
  if (optional !== undefined) expect(readEffect(program.before, optional, family).changed).toEqual([]);
});

test.each([
  { path: "a.py", text: '"""roundCents(1)"""\n# roundCents(1)\nx = "roundCents(1)"\n' },
  { path: "a.ts", text: "// roundCents(1)\n/* roundCents(1)\n*/ const x = 'roundCents(1)' + `roundCents(1)`;\n" },
  {
    path: "a.rs",
    text: '// roundCents(1)\nlet x = r#"a "roundCents(1)""#;\nlet y: &\'static str = "roundCents(1)";\n',
  },
  { path: "a.go", text: "// roundCents(1)\nvar x = `\nroundCents(1)`\n" },
  { path: "A.java", text: 'String x = "roundCents(1)"; /* roundCents(1) */\n' },
])("[FC30] in $path words in comments and strings are no use of a name", ({ path, text }) => {
  const effect = readEffect("", text, familyOf(path) as Family);
  expect([...effect.newWords]).not.toContain("roundCents");
});

test("[FC30] text that never closes what it opens is read to its end", () => {
  for (const family of ["go", "java", "js", "py", "rs"] as const) {
    for (const piece of ["/*", '"""', "`", 'r#"', "import {", "use a\n", "fn a(", "\n"]) {
      expect(readEffect("", piece.repeat(2_000), family).removed).toEqual([]);
    }
  }
});

test("[FC30, FC31] a rename, a parameter, a definition added twice and a deleted file collide with who counts on them", async () => {
  const scene = openScene({
    "lib/cents.ts": "export function roundCents(amount: number) {\n  return amount;\n}\n\nexport const vat = 20;\n",
    "lib/old.ts": "export const legacy = 1;\n",
    "lib/list.ts": `${lines()}`,
    "app/run.ts": "export {};\n",
  });
  const worktree = (name: string, files: Record<string, string>): void => commitIn(scene.worktree(name), files);
  worktree("renames", {
    "lib/cents.ts": "export function toCents(amount: number) {\n  return amount;\n}\n\nexport const vat = 20;\n",
  });
  worktree("parameter", {
    "lib/cents.ts":
      "export function roundCents(mode: string, amount: number) {\n  return amount;\n}\n\nexport const vat = 20;\n",
  });
  worktree("uses", { "app/pay.ts": 'import { roundCents } from "../lib/cents";\nroundCents(4);\n' });
  worktree("strangers", { "app/other.ts": "import { toss } from 'dice';\nroundCents;\n", "app/more.ts": "vat;\n" });
  worktree("adds", { "lib/list.ts": `export function first() {}\n${lines()}` });
  worktree("too", { "lib/list.ts": `${lines()}export function first() {}\n` });
  worktree("imports", { "app/legacy.ts": 'import { legacy } from "../lib/old.js";\n' });
  const deletes = scene.worktree("deletes");
  git(deletes, "rm", "-q", "lib/old.ts");
  git(deletes, "commit", "-qm", "delete");
  const { meetings } = await scene.look();
  const told = meetings
    .filter(({ verdict }) => verdict === "symbol")
    .map(({ between, places }) => [
      between.map((path) => path.slice(path.lastIndexOf("/") + 1)).join(" "),
      places.map(({ path, symbol }) => [symbol?.why, symbol?.name, symbol?.definedIn, path]),
    ]);
  expect(Object.fromEntries(told)).toEqual({
    "adds too": [["twice", "first", "lib/list.ts", "lib/list.ts"]],
    "deletes imports": [
      ["removed", "legacy", "lib/old.ts", "app/legacy.ts"],
      ["file-gone", "lib/old.ts", "lib/old.ts", "app/legacy.ts"],
    ],
    "parameter uses": [["parameters", "roundCents", "lib/cents.ts", "app/pay.ts"]],
    "renames strangers": [["removed", "roundCents", "lib/cents.ts", "app/other.ts"]],
    "renames uses": [["removed", "roundCents", "lib/cents.ts", "app/pay.ts"]],
  });
});

test("[FC30] what is moved, and what two have from work that both stand on, is no collision", async () => {
  const scene = openScene({ "lib/cents.ts": "export function roundCents() {}\n", "lib/list.ts": lines() });
  const moves = scene.worktree("moves");
  commitIn(moves, {
    "lib/cents.ts": "export {};\n",
    "lib/money.ts": "export function roundCents() {}\nexport const x = 1;\n",
  });
  commitIn(scene.worktree("uses"), { "app/pay.ts": 'import { roundCents } from "../lib/cents";\nroundCents();\n' });
  commitIn(scene.worktree("ground"), { "lib/list.ts": `export function first() {}\n${lines()}` });
  for (const name of ["one", "two"]) commitIn(scene.worktree(name, "ground"), { [`${name}.ts`]: "export {};\n" });
  commitIn(`${scene.around}/one`, { "lib/list.ts": `export function first() {}\n${lines({ 40: "one" })}` });
  const { meetings } = await scene.look();
  expect(meetings.filter(({ verdict }) => verdict === "symbol")).toEqual([]);
});

/** Each once looked like something that a pattern tries again and again. */
const stubborn = [
  "const ",
  "import a\n",
  "from a import (\n",
  "use a{\n",
  "export { a,",
  "f<",
  "`${",
  " a".repeat(490),
];

test.each([
  "go",
  "java",
  "js",
  "py",
  "rs",
] as const)("[FC50] no file in %s keeps the server from its other work", (family) => {
  const size = 256 * 1024;
  for (const text of [
    ...stubborn.map((part) => part.repeat(size / part.length)),
    `const${" ".repeat(size)}`,
    "a".repeat(size),
  ]) {
    expect(readEffect("", text, family).removed).toEqual([]);
  }
});
