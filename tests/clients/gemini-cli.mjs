import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { companionCheck } from "./companion.mjs";
import { geminiHabits } from "./companion-habits.mjs";
import { expectConnected } from "./expectations.mjs";
import { revisionOf } from "./wire.mjs";

export const geminiCli = {
  name: "Gemini CLI",
  package: "@google/gemini-cli",
  version: "0.61.0",
  isScript: true,
  findProgram: (modules) => join(modules, ".bin", "gemini"),
  checks: [{ title: "mcp list", run: listServers }, companionCheck(geminiHabits)],
};

async function listServers(place, gemini) {
  const { url, token } = await place.serve();
  const deck = { httpUrl: `${url}/mcp`, headers: { Authorization: `Bearer \${CREWDECK_TOKEN}` } };
  mkdirSync(join(place.work, ".gemini"));
  writeFileSync(
    join(place.work, ".gemini", "settings.json"),
    JSON.stringify({ mcpServers: { crewdeck: place.bridge, deck } }),
  );
  const env = { CREWDECK_TOKEN: token, GEMINI_CLI_TRUST_WORKSPACE: "true" };
  const { code, stdout, stderr } = await place.run(gemini, ["mcp", "list"], env);
  assert.equal(code, 0, stdout + stderr);
  expectConnected(stdout + stderr, /(crewdeck|deck): .* - Connected$/);
  return `${revisionOf(place.frames())}, connects over stdio and HTTP`;
}
