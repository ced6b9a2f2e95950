import fc from "fast-check";
import { expect, test } from "vitest";
import { mostBytes } from "../../src/codeindex/parse/limits.ts";
import { parseFile } from "../../src/codeindex/parse/parse-file.ts";
import { parseBytes, parseText } from "./scene.ts";

const names = (chunks: readonly { name: string; kind: string; startLine: number; endLine: number }[]) =>
  chunks.map(({ name, kind, startLine, endLine }) => [kind, name, startLine, endLine]);

const paths = fc.constantFrom("a.md", "a.rst", "a.txt", "a.adoc", "a.json", "a.kt", "Makefile", "odd");
const line = fc.oneof(
  fc.constantFrom(
    "",
    "  ",
    "# Title",
    "Title",
    "=====",
    "-----",
    "```",
    "fun open() {",
    "  class Inner",
    "}\r",
    "ünï 😀",
  ),
  fc.string({ maxLength: 40 }).map((text) => text.replaceAll("\0", "")),
);
const texts = fc.array(line, { maxLength: 250 }).map((lines) => lines.join("\n"));

test("[PA4] chunks lie in order, hold every line that is not blank and match the bytes, whatever is in the file", async () => {
  await fc.assert(fc.asyncProperty(paths, texts, async (path, text) => void (await parseText(path, text))));
});

test("[PA4] chunks match the bytes in every encoding that is read", async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const little = Buffer.from(`\uFEFF${text}`, "utf16le");
      expect((await parseBytes("a.md", little)).encoding).toBe("utf-16le");
      expect((await parseBytes("a.md", Buffer.from(little).swap16())).encoding).toBe("utf-16be");
      const latin = Buffer.from(`caf\u00e9 ${text}`, "latin1").map((byte) => byte || 32);
      expect(["latin-1", "utf-8"]).toContain((await parseBytes("a.md", Buffer.from(latin))).encoding);
    }),
  );
});

test("[PA4] a file is parsed the same way every time", async () => {
  await fc.assert(
    fc.asyncProperty(paths, texts, async (path, text) => {
      expect(await parseText(path, text)).toEqual(await parseText(path, text));
    }),
  );
});

test("[PA5] Markdown is cut at its headings, not at what is fenced off", async () => {
  const text = ["intro", "", "# Guide", "a", "```sh", "# no heading", "```", "## Setup", "b", "Older", "-----", "c"];
  const { chunks } = await parseText("README.md", text.join("\n"));
  expect(names(chunks)).toEqual([
    ["section", "", 1, 1],
    ["section", "Guide", 3, 7],
    ["section", "Setup", 8, 9],
    ["section", "Older", 10, 12],
  ]);
  expect(chunks.map(({ header }) => header)).toEqual(["", "", "Guide", "Guide"]);
  expect(new Set(chunks.map(({ mode }) => mode))).toEqual(new Set(["prose"]));
});

test("[PA5] reStructuredText takes its levels from the order of the underlines", async () => {
  const text = ["=====", "Topic", "=====", "", "One", "---", "x", "Two", "~~~", "y", "Three", "---", "z"];
  const { chunks } = await parseText("docs/topic.rst", text.join("\n"));
  expect(chunks.map(({ name, header }) => [name, header])).toEqual([
    ["Topic", ""],
    ["One", "Topic"],
    ["Two", "Topic › One"],
    ["Three", "Topic"],
  ]);
});

test("[PA6] without a grammar a file is cut at what looks like a definition, and no chunk is longer than 80 lines", async () => {
  const body = Array.from({ length: 100 }, (_, at) => `    step(${at})`);
  const text = ["package a", "", "class Queue {", "  fun tiny() = 1", "  fun drain() {", ...body, "  }", "}"];
  const { chunks } = await parseText("Queue.kt", text.join("\n"));
  expect(names(chunks)).toEqual([
    ["file", "", 1, 1],
    ["class", "Queue", 3, 82],
    ["class", "Queue", 83, 107],
  ]);
  expect(chunks.map(({ part }) => part)).toEqual([0, 0, 1]);
});

test("[PA6] data is cut by its layout alone", async () => {
  const text = JSON.stringify(
    Array.from({ length: 150 }, (_, at) => ({ function: `class ${at}` })),
    null,
    1,
  );
  const { chunks } = await parseText("a.json", text);
  expect(new Set(chunks.map(({ kind }) => kind))).toEqual(new Set(["data"]));
  expect(Math.max(...chunks.map(({ startLine, endLine }) => endLine - startLine + 1))).toBeLessThanOrEqual(80);
});

test("[PA7] what is too large or no text is skipped with its reason", async () => {
  expect(await parseFile("a.md", Buffer.alloc(mostBytes + 1, 32))).toEqual({ skipped: "larger than 5 MB" });
  expect(await parseFile("a.ts", Buffer.from("const a = 1;\0"))).toEqual({ skipped: "binary" });
  expect(await parseFile("a.png", Buffer.from([0x89, 0x50, 0, 0, 1]))).toEqual({ skipped: "binary" });
});

test("[PA7] an empty file has no chunks, and a line of a million characters is one", async () => {
  expect((await parseText("a.txt", "")).chunks).toEqual([]);
  expect((await parseText("a.txt", "x".repeat(1_000_000))).chunks.length).toBe(1);
});
