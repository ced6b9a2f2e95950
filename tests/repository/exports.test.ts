import { expect, onTestFinished, test } from "vitest";
import { type Ended, plantTree, runScript } from "./planted-tree.ts";

function judge(files: Readonly<Record<string, string>>): Promise<Ended> {
  const { root, remove } = plantTree(files);
  onTestFinished(remove);
  return runScript("exports.mjs", ["--root", root]);
}

const isContent = { code: 0, stdout: "every export is imported\n", stderr: "" };

test("[RE41] an export that no other file imports is named with its place, whatever kind it is", async () => {
  const ended = await judge({
    "src/a.ts": [
      "export const used = 1;",
      "export const value = used;",
      "export function act() {}",
      "export class Thing {}",
      "export interface Shape {}",
      "export type Word = string;",
      "export const { left, rest: [right] } = value;",
      "const inner = 1;",
      "export { inner as outer };",
      "export default inner;",
    ].join("\n"),
    "src/b.ts": `import { used } from "./a.ts";\nvoid used;\n`,
    "src/c.tsx": "export const View = () => <p>act</p>;\n",
  });
  expect(ended).toMatchObject({
    code: 1,
    stdout: [
      ...[
        "2  value",
        "3  act",
        "4  Thing",
        "5  Shape",
        "6  Word",
        "7  left",
        "7  right",
        "9  outer",
        "10  default",
      ].map((found) => `src/a.ts:${found}  no other file imports it`),
      "src/c.tsx:1  View  no other file imports it",
      "10 to remove\n",
    ].join("\n"),
  });
});

test("[RE41] what is only passed on, or imported by the file itself, is not imported", async () => {
  const ended = await judge({
    "src/a.ts": `import { own } from "./a.ts";\nexport const own = 1;\nexport const passed = own;\n`,
    "src/b.ts": `export { passed } from "./a.ts";\n`,
  });
  expect(ended.stdout).toBe(
    ["src/a.ts:2  own  no other file imports it", "src/b.ts:1  passed  no other file imports it", "2 to remove\n"].join(
      "\n",
    ),
  );
});

test("[RE41] every way of importing counts, from every folder", async () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
  const ended = await judge({
    "src/deep/all.ts": `${names.map((name) => `export const ${name} = 1;`).join("\n")}\nexport type T = 1;\n`,
    "src/whole.ts": "export const one = 1;\nexport const two = 2;\n",
    "src/lazy.ts": "export const Part = 1;\n",
    "src/user.ts": [
      `import { a, b as other } from "./deep/all.ts";`,
      `import * as whole from "./whole.ts";`,
      `const { c } = await import("./deep/all.ts");`,
      `void (await import("./deep/all.ts")).d;`,
      `const [first, { e }] = await Promise.all([c, import("./deep/all.ts")]);`,
      `lazy("Part", () => import("./lazy.ts"));`,
      `type T = import("./deep/all.ts").T;`,
    ].join("\n"),
    "tests/a.test.ts": `import { f } from "../src/deep/all.ts";\n`,
    "scripts/a.mjs": `const { g } = await import("../dist/deep/all.js");\n`,
    "bench/a.mjs": `const load = (path) => import(folder + path);\nconst { h } = await load("deep/all");\n`,
    "bench/b.mjs": `import { i } from "../src/deep/all.ts";\n`,
    "bin/a.js": `const { j } = await import("../dist/deep/all.js");\n`,
    "src/main.ts": "export const start = 1;\n",
    "bin/b.js": `const part = load("../dist/program/main.js");\n`,
  });
  expect(ended).toMatchObject({ code: 1, stdout: "src/deep/all.ts:11  k  no other file imports it\n1 to remove\n" });
});

test("[RE41] a name that stands in another file without an import does not count", async () => {
  const files = {
    "src/a.ts": "export const one = 1;\n",
    "src/b.ts": "const one = 2;\n// import { one } from './a.ts'\nvoid one;\n",
    "scripts/c.mjs": `const one = "elsewhere/a";\n`,
  };
  expect(await judge(files)).toMatchObject({ code: 1 });
  expect(await judge({ ...files, "src/b.ts": `import { one } from "./a.ts";\nvoid one;\n` })).toEqual(isContent);
});
