import { expect, onTestFinished, test } from "vitest";
import { type Ended, plantTree, runScript } from "./planted-tree.ts";

const spec = "- **ZA1** One.\n- **ZA2** Two.\n";

function judge(files: Readonly<Record<string, string>>): Promise<Ended> {
  const { root, remove } = plantTree({ "docs/spec/README.md": "- **ZZ1** An example.\n", ...files });
  onTestFinished(remove);
  return runScript("rules.mjs", ["--root", root]);
}

test("[RE20] rules that are all cited pass, in single titles, lists and tables", async () => {
  const ended = await judge({
    "docs/spec/a.md": `# A\n\n${spec}- **ZA3** Three.\n- **ZA4** Four (and more).\n`,
    "tests/a.test.ts": [
      `test("[ZA1, ZA2] both hold", () => undefined);`,
      `test.each([{ rule: "ZA3" }])("[$rule] holds", () => undefined);`,
      `forEachStore("a", () => test(\`[ZA4] holds for \${"all"}\`, () => undefined));`,
    ].join("\n"),
  });
  expect(ended).toEqual({ code: 0, stdout: "4 rules, each with a test\n", stderr: "" });
});

test("[RE20] a rule that no test cites is named with its place", async () => {
  const ended = await judge({ "docs/spec/a.md": spec, "tests/a.test.ts": `test("[ZA1] holds", () => undefined);` });
  expect(ended).toMatchObject({ code: 1, stdout: "docs/spec/a.md:2  ZA2 has no test\n1 to settle\n" });
});

test("[RE20] a test that is skipped, planned or only mentioned proves nothing", async () => {
  const ended = await judge({
    "docs/spec/a.md": `${spec}- **ZA3** Three.\n`,
    "tests/a.test.ts": [
      `test.skip("[ZA1] later", () => undefined);`,
      `test.todo("[ZA2] some day");`,
      `// test("[ZA3] holds", () => undefined);`,
    ].join("\n"),
  });
  expect(ended.stdout.split("\n").slice(0, 3)).toEqual([
    "docs/spec/a.md:1  ZA1 has no test",
    "docs/spec/a.md:2  ZA2 has no test",
    "docs/spec/a.md:3  ZA3 has no test",
  ]);
});

test("[RE21] a cited id that is no rule is named with its place", async () => {
  const ended = await judge({
    "docs/spec/a.md": "- **ZA1** One.\n",
    "tests/deep/a.test.ts": `import "vitest";\n\ntest("[ZA1, ZA7] hold", () => undefined);`,
  });
  expect(ended).toMatchObject({
    code: 1,
    stdout: "tests/deep/a.test.ts:3  ZA7 is not a rule of docs/spec\n1 to settle\n",
  });
});

test("[RE40] an id in a comment that is no rule is named with its place, in every folder and form", async () => {
  const ended = await judge({
    "docs/spec/a.md": spec,
    "tests/a.test.ts": `test("[ZA1, ZA2] hold", () => undefined); // As ZA3 says.`,
    "src/a.ts": "/**\n * Waits (ZA1, ZA4), then goes on (ZA2–ZA5).\n */\nexport const a = 1;\n",
    "src/b.tsx": "/* C2 is of another document. */\n",
    "src/c.css": "a {\n  /* ZA6 */\n}\n",
    "scripts/a.mjs": "// ZA7\n",
    "bench/a.mjs": "const a = 1; // ZA8\n",
  });
  expect(ended.stdout.trim().split("\n").sort()).toEqual([
    "7 to settle",
    "bench/a.mjs:1  ZA8 is not a rule of docs/spec",
    "scripts/a.mjs:1  ZA7 is not a rule of docs/spec",
    "src/a.ts:2  ZA4 is not a rule of docs/spec",
    "src/a.ts:2  ZA5 is not a rule of docs/spec",
    "src/b.tsx:1  C2 is not a rule of docs/spec",
    "src/c.css:2  ZA6 is not a rule of docs/spec",
    "tests/a.test.ts:1  ZA3 is not a rule of docs/spec",
  ]);
});

test("[RE40] rules that exist, words in backticks and what is no comment are left alone", async () => {
  const ended = await judge({
    "docs/spec/a.md": spec,
    "tests/a.test.ts": `test("[ZA1, ZA2] hold", () => undefined);`,
    "src/a.ts": [
      "/** Waits (ZA1–ZA2). The target is `ES2023`, hashed with SHA256 over UTF8. */",
      `export const a = "ZA9";`,
      "export const b = `// ZA9`;",
    ].join("\n"),
  });
  expect(ended).toEqual({ code: 0, stdout: "2 rules, each with a test\n", stderr: "" });
});

test("[RE22] an id that is given out twice is named with both places", async () => {
  const ended = await judge({
    "docs/spec/a.md": "- **ZA1** One.\n",
    "docs/spec/b.md": "# B\n- **ZA1** Another.\n",
    "tests/a.test.ts": `test("[ZA1] holds", () => undefined);`,
  });
  expect(ended).toMatchObject({
    code: 1,
    stdout: "docs/spec/b.md:2  ZA1 was given out before, at docs/spec/a.md:1\n1 to settle\n",
  });
});

test("[RE23] a line that only looks like a rule is named, so that none is overlooked", async () => {
  const ended = await judge({ "docs/spec/a.md": "* **ZA1** One.\n- **ZA2**: Two.\n- **ZA3** Three\n" });
  expect(ended.stdout.match(/not in the form/g)).toHaveLength(3);
  expect(ended.code).toBe(1);
});
