import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { everyTool } from "./parts.ts";

const testsFolder = join(import.meta.dirname, "..");

/** Every test of the suite as text: from its title to the next test's, with what its file sets up for it in between. */
const bodies = readdirSync(testsFolder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .flatMap((file) => readFileSync(join(testsFolder, file), "utf8").split(/^\s*(?=test\b|it\b)/m));

const isRaised = (tool: string, code: string): boolean =>
  bodies.some((body) => new RegExp(`\\b${tool}\\b`).test(body) && new RegExp(`\\b${code}\\b`).test(body));

test.each(
  everyTool.map((tool) => ({ name: tool.name, refusals: tool.refusals })),
)("[CT6] some test raises every refusal of $name", ({ name, refusals }) => {
  expect(refusals.filter((code) => !isRaised(name, code))).toEqual([]);
});
