import { expect, onTestFinished, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { startFixtureServer } from "./fixture-server.ts";
import { type Revision, runSuite, type SuiteOutcome } from "./run-suite.ts";

/** The suite gives up on some streams after half a second; a machine that was busy just then is asked again. */
const unhurried = { retry: 2 };

test("[CF1, CF3] the official suite passes whole for 2025-11-25: 30 of 30", unhurried, async ({ signal }) => {
  expect(await judge("2025-11-25", signal)).toEqual({
    exitCode: 0,
    required: 30,
    passed: 30,
    complaints: [],
    extra: ["json-schema-2020-12", "server-session-lifecycle"],
  });
});

test("[CF2, CF3] the official suite passes whole for 2026-07-28: 37 of 37", unhurried, async ({ signal }) => {
  expect(await judge("2026-07-28", signal)).toEqual({
    exitCode: 0,
    required: 37,
    passed: 37,
    complaints: [],
    extra: ["http-header-validation", "json-schema-2020-12"],
  });
});

async function judge(revision: Revision, signal: AbortSignal): Promise<SuiteOutcome> {
  const { house } = await openTestHouse("sqlite");
  const server = await startFixtureServer(house);
  onTestFinished(() => server.close());
  const outcome = await runSuite(server.url, revision, signal);
  process.stdout.write(`MCP ${revision}: ${outcome.passed} of ${outcome.required} required scenarios passed\n`);
  return outcome;
}
