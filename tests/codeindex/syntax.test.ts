import { expect, test } from "vitest";
import { readDoc } from "../../src/codeindex/parse/comments.ts";
import { answersOf } from "../../src/codeindex/parse/languages.ts";
import {
  type Chunk,
  countFacts,
  flagFacts,
  type ParsedFile,
  wordFacts,
  wordsOf,
} from "../../src/codeindex/parsed-file.ts";
import { samples } from "./samples.ts";
import { parseText } from "./scene.ts";

/** What is known of the chunk with this name. */
function factsOf(file: ParsedFile, name: string): Readonly<Record<string, unknown>> {
  const at = file.chunks.findIndex((chunk) => chunk.name === name && chunk.mode === "code");
  const chunk = file.chunks[at];
  if (!chunk) throw new Error(`no chunk ${name} among ${file.chunks.map((one) => one.name).join(", ")}`);
  const words = wordFacts.map((fact) => [fact, wordsOf(file, at, fact)] as const);
  const counts = countFacts.map((fact, place) => [fact, chunk.counts?.[place]] as const);
  const flags = flagFacts.map((fact, place) => [fact, (chunk.flags & (1 << place)) !== 0] as const);
  return Object.fromEntries([...words, ...counts, ...flags]);
}

const outline = (chunks: readonly Chunk[]) =>
  chunks
    .filter(({ mode }) => mode === "code")
    .map(({ kind, name, startLine, endLine }) => `${kind} ${name} ${startLine}-${endLine}`);

test.each(samples)("[PA8] $path is cut along its definitions, and what encloses them is kept", async ({
  path,
  text,
  chunks,
  header,
}) => {
  const file = await parseText(path, text);
  expect(outline(file.chunks)).toEqual(chunks);
  for (const [name, around] of Object.entries(header ?? {})) {
    expect(file.chunks.find((chunk) => chunk.name === name)?.header).toBe(around);
  }
});

test("[PA8] the first line of an exported class is the class's, even if its only method ends right before it", async () => {
  const text = "/** Q. */\nexport class Q extends S {\n  size = 0;\n\n  push() {\n    return 1;\n  }\n}\n";
  const file = await parseText("q.ts", text);
  expect(outline(file.chunks)).toEqual(["class Q 1-3", "method push 5-8"]);
  expect(factsOf(file, "Q")["extends"]).toEqual(["S"]);
});

test("[PA8] a comment before the first statement is no part of a signature", async () => {
  const file = await parseText("q.py", "def parse(line: str) -> dict:\n    # once\n    return {}\n");
  expect(file.chunks[0]?.signature).toBe("def parse(line: str) -> dict");
});

test.each(samples)("[PA9] the facts of $path are found", async ({ path, text, imports, facts }) => {
  const file = await parseText(path, text);
  expect(file.imports).toEqual(imports);
  for (const [name, expected] of Object.entries(facts)) {
    const found = factsOf(file, name);
    for (const [fact, values] of Object.entries(expected)) {
      if (Array.isArray(values)) expect(found[fact], `${name} ${fact}`).toEqual(expect.arrayContaining(values));
      else expect(found[fact], `${name} ${fact}`).toBe(values);
    }
  }
});

test.each(samples)("[PA2] $path has no facts that its language does not answer", async ({ path, text }) => {
  const file = await parseText(path, text);
  const answers = answersOf(file.language);
  for (const [at] of file.chunks.entries()) {
    for (const fact of wordFacts) if (!answers.has(fact)) expect(wordsOf(file, at, fact)).toEqual([]);
  }
  for (const { counts, mode } of file.chunks)
    if (mode === "code") expect(counts !== undefined).toBe(answers.has("loops"));
});

test("[PA8] a function longer than a chunk is cut, and each part knows the whole", async () => {
  const steps = Array.from({ length: 120 }, (_, at) => `  if (a === ${at}) step${at}();`);
  const file = await parseText("long.ts", ["export async function long(a: number) {", ...steps, "}"].join("\n"));
  expect(file.chunks.map(({ kind, name, part }) => [kind, name, part])).toEqual([
    ["function", "long", 0],
    ["function", "long", 1],
  ]);
  for (const { counts, flags } of file.chunks) expect([counts, flags]).toEqual([[120, 0, 0, 0], 1]);
  expect(wordsOf(file, 1, "calls")).toContain("step119");
  expect(wordsOf(file, 1, "calls")).not.toContain("step0");
});

test("[PA8] what is inside something too long has a chunk of its own", async () => {
  const inner = Array.from({ length: 60 }, (_, at) => `    call${at}();`);
  const text = [
    "(function () {",
    "  function one() {",
    ...inner,
    "  }",
    "  function two() {",
    ...inner,
    "  }",
    "})();",
  ];
  const file = await parseText("wrapped.js", ["const all = () => {", ...text.slice(1, -1), "};"].join("\n"));
  expect(outline(file.chunks)).toEqual(["function all 1-1", "function one 2-63", "function two 64-126"]);
});

test("[PA10] comments and doc strings are prose, named by what they stand at", async () => {
  const text = [
    "// Keeps a queue short.",
    "// It drops the oldest.",
    "function trim() {",
    "  cut(); // why not sooner",
    "}",
    "// ----",
  ];
  const file = await parseText("a.js", text.join("\n"));
  const prose = file.chunks.filter(({ mode }) => mode === "extracted-prose");
  const said = ({ from, to }: Chunk): string => readDoc(text.join("\n"), [from, to]);
  expect(prose.map((chunk) => [chunk.name, said(chunk), chunk.startLine, chunk.endLine])).toEqual([
    ["trim", "Keeps a queue short.\nIt drops the oldest.", 1, 2],
    ["trim", "why not sooner", 4, 4],
  ]);
  expect(readDoc(text.join("\n"), file.chunks[0]?.docs ?? [])).toBe("Keeps a queue short.\nIt drops the oldest.");
  expect(file.chunks[0]?.docs).toHaveLength(2);
});

test("[PA11] data from outside that reaches a dangerous call is a flow", async () => {
  const text = [
    "function run(req) {",
    "  const { exec } = require('child_process');",
    "  exec('ls ' + req.query.dir);",
    "}",
  ];
  const found = factsOf(await parseText("a.js", text.join("\n")), "run");
  expect(found).toMatchObject({
    riskSource: ["req.query"],
    riskSink: ["exec"],
    riskCategory: ["command-injection"],
    riskTag: ["command-injection"],
    riskFlow: ["req.query->exec"],
  });
});

test.each([
  ["a.js", "function f(db, id) { return db.query('select ' + id); }", "sql-injection"],
  ["a.py", "def f(x):\n    return eval(x)\n", "code-execution"],
  ["a.ts", "function f(el: Element, x: string) { el.innerHTML = x; }", "xss"],
  ["a.go", "package a\nfunc f(p string) { os.Open(p) }", "path-traversal"],
  ["a.php", "<?php function f($x) { return shell_exec($x); }", "command-injection"],
])("[PA11] %s: %s is %s", async (path, text, category) => {
  expect(factsOf(await parseText(path, text), "f")).toMatchObject({ riskCategory: [category], riskFlow: [] });
});
