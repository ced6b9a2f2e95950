import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { generatedFiles } from "../../src/contract/projections/files.ts";
import { generatedNote } from "../../src/contract/projections/markdown.ts";
import { parts } from "./parts.ts";

const root = join(import.meta.dirname, "../..");
const files = generatedFiles(parts);

describe("what is committed", () => {
  test.each([...files.keys()])("[CT20] %s is what the definitions give", (path) => {
    expect(readFileSync(join(root, path), "utf8")).toBe(files.get(path));
  });

  test("[CT20] nothing else lies in the folders of generated files", () => {
    const found = ["contracts", "docs/tools"].flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${folder}/${entry.name}`),
    );
    expect(found.filter((path) => !files.has(path))).toEqual([]);
  });
});

test("[CT25] every generated file is marked for git, and every page says so at its beginning", () => {
  const folder = mkdtempSync(join(tmpdir(), "crewdeck-attributes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("git", ["init", "--quiet", folder]);
  cpSync(join(root, ".gitattributes"), join(folder, ".gitattributes"));
  const paths = [...files.keys(), "contracts/released/contract.json"];
  const marked = execFileSync("git", ["-C", folder, "check-attr", "linguist-generated", "--", ...paths], {
    encoding: "utf8",
  });
  expect(marked.trim().split("\n")).toEqual(paths.map((path) => `${path}: linguist-generated: set`));

  const pages = [...files].filter(([path]) => path.endsWith(".md"));
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.filter(([, text]) => !text.split("\n").slice(0, 3).includes(generatedNote))).toEqual([]);
});

test("[CT20] the same definitions always give the same text", () => {
  expect([...generatedFiles(parts)]).toEqual([...files]);
});
