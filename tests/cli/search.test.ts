import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { barLine } from "../../src/transports/cli/progress.ts";
import { makeRepository } from "../git/scratch.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome } from "./program.ts";

beforeAll(ensureBuilt);

test("[IX30] a search builds on first use, and flags are the tool's arguments", async () => {
  const home = openHome();
  const { path } = makeRepository();
  writeFileSync(join(path, "a.ts"), "const before = 0;\nexport function needle(x: number) {\n  return x;\n}\n");
  writeFileSync(join(path, "b.py"), "needle = 2\n");
  const first = await crewdeck(home, ["search", "needle", "--repo", path, "--lang", "typescript", "--context", "1"]);
  expect(first.stdout).toContain("Indexed");
  expect(first.stdout).toContain("a.ts:2");
  expect(first.stdout).toContain("export function needle(x: number) {");
  expect(first.stdout).not.toContain("b.py");
  const found = await crewdeckJson<{ code: { file: string }[] }>(
    home,
    ...[
      "search",
      "needle",
      "--repo-path",
      path,
      "--path",
      "a.",
      "--path",
      "b.",
      "-n",
      "1",
      "--mode",
      "code",
      "--compact",
      "--json",
    ],
  );
  expect(found.code).toHaveLength(1);
  const seen = { dir: home.dir, env: { ...home.env, FORCE_COLOR: "1" } };
  const coloured = await crewdeck(seen, ["search", "needle", "--repo", path, "--lang", "typescript"]);
  expect(coloured.stdout).toContain("export function \u001b[31mneedle\u001b[0m(x: number) {");
  const byPattern = await crewdeck(seen, ["search", "/^export .{8}/", "--repo", path]);
  expect(byPattern.stdout).toContain("\u001b[31mexport function\u001b[0m needle(x: number) {");
  const none = await crewdeck(home, ["search", "absent", "--repo", path]);
  expect([none.code, none.stdout.trim()]).toEqual([0, "No results."]);
  const wrong = await crewdeck(home, ["search", "x", "--repo", path, "--planet", "mars"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--planet")]);
});

test("[IX31] the bar says how far an index is", () => {
  expect(barLine("Indexing files", 0, 1)).toBe(`Indexing files ${"░".repeat(24)} 0% (0 of 1)`);
  expect(barLine("Indexing files", 1_250, 5_000)).toBe(
    `Indexing files ${"█".repeat(6)}${"░".repeat(18)} 25% (1,250 of 5,000)`,
  );
  expect(barLine("Indexing files", 7, 5)).toContain("100%");
  expect(barLine("Indexing files", 0, 0)).toContain(" 0%");
});
