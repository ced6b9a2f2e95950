import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generatedFiles } from "../../src/contract/projections/files.ts";
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

test("[CT20] the same definitions always give the same text", () => {
  expect([...generatedFiles(parts)]).toEqual([...files]);
});
