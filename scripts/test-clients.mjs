/**
 * `npm run test:clients`: clients that others wrote against this Crewdeck, with no account and no way out of this
 * machine. They are downloaded, more than a gigabyte, into .work/clients or `--folder DIR`, so this is no part of
 * `npm test`.
 */
import { join, resolve } from "node:path";
import { claudeCode } from "../tests/clients/claude-code.mjs";
import { codex } from "../tests/clients/codex.mjs";
import { copilotCli } from "../tests/clients/copilot-cli.mjs";
import { geminiCli } from "../tests/clients/gemini-cli.mjs";
import { installClient } from "../tests/clients/install.mjs";
import { opencode } from "../tests/clients/opencode.mjs";
import { openPlace } from "../tests/clients/place.mjs";
import { ensureOutput } from "./steps/output.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";
import { say } from "./steps/run.mjs";

const clients = [claudeCode, codex, geminiCli, opencode, copilotCli];
const rows = [];
let openedPlace;

process.once("SIGINT", async () => {
  await openedPlace?.close();
  process.exit(130);
});

const isReady = process.env.CREWDECK_TEST_PACKAGE !== undefined || (await ensureProject());
if (isReady) for (const client of clients) await meet(client);
else fail("crewdeck", "set-up", "the project could not be built; see above");

const failed = rows.filter((row) => row.problem !== undefined);
for (const { client, title, problem } of failed) say(`\n── ${client}, ${title}\n${problem}`);
for (const row of rows) console.log(lineOf(row));
console.log(`${rows.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function ensureProject() {
  return (await ensurePackages(root)) && (await ensureOutput(root));
}

async function meet(client) {
  const name = `${client.name} ${client.version}`;
  if (!client.checks.some(({ title }) => isWanted(client, title))) return;
  say(`${name}: installing…`);
  const { command, problem } = await installClient(client, readFolderOption());
  if (problem !== undefined) fail(name, "installation", problem);
  else
    for (const check of client.checks.filter(({ title }) => isWanted(client, title)))
      await runCheck(name, check, command);
}

async function runCheck(client, { title, run }, command) {
  say(`${client}: ${title}…`);
  openedPlace = await openPlace();
  try {
    const seen = await run(openedPlace, command);
    const asked = openedPlace.asked.size === 0 ? "" : `; kept from ${[...openedPlace.asked].join(", ")}`;
    rows.push({ client, title, seen: `${seen}${asked}` });
  } catch (error) {
    fail(client, title, error.stack);
  } finally {
    await openedPlace.close();
  }
}

function fail(client, title, problem) {
  rows.push({ client, title, problem });
}

function lineOf({ client, title, seen, problem }) {
  const mark = problem === undefined ? "ok  " : "FAIL";
  return `${mark}  ${client.padEnd(20)}  ${title.padEnd(22)}  ${seen ?? problem.split("\n")[0]}`;
}

/** `--only WORDS` runs what has them in the client's name or the title of the check. */
function isWanted({ name }, title) {
  const place = process.argv.indexOf("--only");
  return place === -1 || `${name}, ${title}`.toLowerCase().includes((process.argv[place + 1] ?? "").toLowerCase());
}

function readFolderOption() {
  const place = process.argv.indexOf("--folder");
  return place === -1 ? join(root, ".work", "clients") : resolve(process.argv[place + 1] ?? ".");
}
