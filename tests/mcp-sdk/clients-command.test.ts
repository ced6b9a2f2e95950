import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { ensureBuilt, type Outcome, programFile } from "../cli/program.ts";
import { runScript } from "./run-script.ts";

const script = fileURLToPath(new URL("../../scripts/test-clients.mjs", import.meta.url));

beforeAll(ensureBuilt);

/** The command where no registry can be reached and nothing was downloaded before. */
function runWithoutRegistry(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "crewdeck-clients-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    CREWDECK_TEST_PACKAGE: join(programFile, "../.."),
    npm_config_registry: "http://127.0.0.1:9",
    npm_config_cache: join(folder, "cache"),
    npm_config_fetch_retries: "0",
  };
  return runScript([script, "--folder", join(folder, "clients")], env);
}

test("[CN30] the command that meets real clients names each one that cannot be installed and ends with 1", async () => {
  const { code, stdout } = await runWithoutRegistry();
  expect(code).toBe(1);
  const lines = stdout.trimEnd().split("\n");
  for (const client of ["Claude Code", "Codex", "Gemini CLI", "opencode", "Copilot CLI"]) {
    expect(lines).toContainEqual(expect.stringMatching(`^FAIL  ${client} .*installation .*npm could not install`));
  }
  expect(lines.at(-1)).toBe("0 passed, 5 failed");
});
