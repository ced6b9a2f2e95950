import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { companionCheck } from "./companion.mjs";
import { opencodeHabits } from "./companion-habits.mjs";
import { expectConnected } from "./expectations.mjs";
import { findFile } from "./install.mjs";
import { revisionOf } from "./wire.mjs";

export const opencode = {
  name: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
  findProgram: (modules) => findFile(modules, /^opencode-(?!ai$)/, "bin", "opencode"),
  checks: [{ title: "mcp list", run: listServers }, companionCheck(opencodeHabits)],
};

async function listServers(place, program) {
  const { url, token } = await place.serve();
  const { command, args, env: environment } = place.bridge;
  const crewdeck = { type: "local", command: [command, ...args], environment };
  const deck = { type: "remote", url: `${url}/mcp`, headers: { Authorization: "Bearer {env:CREWDECK_TOKEN}" } };
  writeFileSync(join(place.work, "opencode.json"), JSON.stringify({ mcp: { crewdeck, deck } }));
  const { code, stdout, stderr } = await place.run(program, ["mcp", "list"], { CREWDECK_TOKEN: token });
  assert.equal(code, 0, stdout + stderr);
  expectConnected(stripVTControlCharacters(stdout + stderr), /✓ (crewdeck|deck) connected/);
  return `${revisionOf(place.frames())}, connects over stdio and HTTP`;
}
