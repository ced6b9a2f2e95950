import fc from "fast-check";
import { expect, test } from "vitest";
import { parseFile } from "../../src/codeindex/parse/parse-file.ts";
import { samples } from "./samples.ts";
import { parseBytes, parseText } from "./scene.ts";

const sample = fc.constantFrom(...samples);

test("[PA12] whatever is cut out of a file or put into it, the rest is parsed soundly, and the same way every time", async () => {
  const noise = fc.oneof(
    fc.constantFrom("{", "}", "(", "`", '"', "/*", "<", "\r\n", "é", "\u2028", "@", "#"),
    fc.string({ maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(
      sample,
      fc.array(fc.tuple(fc.nat(1_000), fc.nat(40), noise), { maxLength: 5 }),
      async (one, edits) => {
        let { text } = one;
        for (const [at, length, put] of edits) {
          const place = at % (text.length + 1);
          text = `${text.slice(0, place)}${put.replaceAll("\0", "")}${text.slice(place + length)}`;
        }
        expect(await parseText(one.path, text)).toEqual(await parseText(one.path, text));
      },
    ),
    { numRuns: 40 },
  );
});

test("[PA12] a file of one language under the name of another is parsed soundly", async () => {
  await fc.assert(fc.asyncProperty(sample, sample, async (one, other) => void (await parseText(one.path, other.text))));
});

test("[PA12] chunks of code match the bytes in every encoding that is read", async () => {
  for (const { path, text } of samples) {
    const little = Buffer.from(`\uFEFF${text}`, "utf16le");
    await parseBytes(path, little);
    await parseBytes(path, Buffer.from(little).swap16());
    await parseBytes(path, Buffer.from(`\uFEFF${text.replaceAll(" ", " \u00e9\u{1F600}")}`));
    const latin = await parseBytes(path, Buffer.from(text.replaceAll("x", "\u00e9"), "latin1"));
    expect(latin.encoding).toBe(text.includes("x") ? "latin-1" : "utf-8");
    await parseText(path, text.replaceAll("\n", "\r\n"));
  }
});

const deep = 20_000;

test.each([
  ["a.ts", `const a = ${"[".repeat(deep)}${"]".repeat(deep)};`],
  ["a.js", `${"{".repeat(deep)}`],
  ["a.py", `x = ${"(".repeat(deep)}1${")".repeat(deep)}\n`],
  ["a.json", `${"[".repeat(deep)}${"]".repeat(deep)}`],
  ["a.rs", `fn f() { ${"if a { ".repeat(3_000)} ${"}".repeat(3_000)} }`],
  ["a.js", "function f() { ".repeat(2_000) + "}".repeat(2_000)],
  ["a.java", `class A { int f() { return ${"f(".repeat(5_000)}1${")".repeat(5_000)}; } }`],
  ["a.md", `${"> ".repeat(50_000)}x`],
  ["a.css", ".a { ".repeat(5_000)],
  ["a.php", `<?php ${"$a[".repeat(5_000)}`],
])("[PA12] %s of many levels is parsed or skipped, in its time", async (path, text) => {
  const outcome = await parseFile(path, Buffer.from(text));
  if ("skipped" in outcome) expect(outcome.skipped).not.toBe("");
  else expect(outcome.chunks.length).toBeGreaterThan(0);
});

test("[PA12] code on endless lines is kept, without facts", async () => {
  const packed = await parseText("a.min.js", `var a=1;${"function f(){return a};".repeat(5_000)}`);
  expect(packed.chunks.map(({ kind, mode }) => [kind, mode])).toEqual([["file", "code"]]);
  expect(packed.facts.length).toBe(0);
});

test("[PA12] code with hundreds of empty lines is kept", async () => {
  const sparse = await parseText("sparse.py", `first = 1\n${"\n".repeat(500)}second = 2\n`);
  expect(sparse.chunks.map(({ startLine }) => startLine)).toEqual([1, 502]);
});

test("[PA12] a name of a file may hold anything", async () => {
  for (const path of ["a\nb.ts", "../../x.py", "", ".", "a\u0000.js", "x".repeat(5_000)])
    await parseText(path, "const a = 1;\n");
});
