import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeAt } from "../../src/adapters/home.ts";
import { readSettings } from "../../src/adapters/settings.ts";
import { makeFolder } from "../git/scratch.ts";

function settingsOf(config: object) {
  const dir = makeFolder();
  writeFileSync(join(dir, "config.json"), JSON.stringify(config));
  return readSettings(homeAt(dir), {});
}

test("[RV13] work is never abandoned before its last round: such settings stop the start", () => {
  expect(() => settingsOf({ review: { maxIterations: 4, autoAbandonAfter: 3 } })).toThrow("review.autoAbandonAfter");
  expect(settingsOf({ review: { maxIterations: 4, autoAbandonAfter: 4 } }).review).toMatchObject({
    maxIterations: 4,
    autoAbandonAfter: 4,
  });
});

test("[RV3, RV13, RV14, RV15] limits that nobody has set are 3 rounds, 5 that need work, 24 hours and 4 at once", () => {
  expect(settingsOf({}).review).toMatchObject({
    agent: null,
    maxIterations: 3,
    autoAbandonAfter: 5,
    timeoutMs: 24 * 3_600_000,
    maxParallel: 4,
  });
});

test.each([
  "npm test; rm -rf x",
  "npm test) Bash(*",
  "*",
  "npm * test",
  "npm test\nrm",
  "$(id)",
  "",
])("[LA10] %j is no command that could be allowed", (command) => {
  expect(() => settingsOf({ agents: { claude: { allow: [command] } } })).toThrow("plain words");
});

test("[LA10] what an agent may run is said of Claude Code alone, as we start it", () => {
  const allow = ["npm test", "npx vitest *"];
  expect(settingsOf({ agents: { claude: { allow } } }).agents["claude"]).toMatchObject({ allow });
  for (const agents of [{ codex: { allow } }, { claude: { allow, command: ["claude"] } }]) {
    expect(() => settingsOf({ agents })).toThrow("Only claude");
  }
});

test("[LA8] a program that we know needs no command; any other does", () => {
  const { agents } = settingsOf({ agents: { codex: { mode: "headless", env: { A: "b" } } } });
  expect(agents).toEqual({ codex: { prompt: "file", mode: "headless", env: { A: "b" } } });
  expect(() => settingsOf({ agents: { other: { mode: "headless" } } })).toThrow("need no command");
});
