/**
 * `npm run faults`: plants faults in the rules and operations of the domain and sees which of them no test notices.
 * Works in a copy. `-- --most 150 --seed 1 --only PATH`; prints JSON. Takes a while: it is no part of `npm test`.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chooseSites, plant } from "./faults/plant.mjs";
import { listSites } from "./faults/sites.mjs";
import { listFiles } from "./steps/files.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";
import { exitCodeOfSignal, run, say } from "./steps/run.mjs";
import { parseSource } from "./steps/syntax.mjs";

const { values: asked } = parseArgs({
  options: {
    most: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
  },
});

/** Rules and operations, and the pure parts beside them. The engine of overlap is measured by its bench instead. */
const isJudged = (path) =>
  /^src\/domain\/.*\.ts$/.test(path) &&
  !/(model|events|store|queries|port|built-in|price-table)\.ts$|\/overlap\/engine\/|\.generated\./.test(path) &&
  path.includes(asked.only);

const folders = "{companion,domain,engine,forecast,index,mission,overlap,pull,review,storage,team,workflow,worktree}";
const ground = join(root, ".work", `faults-${process.pid}`);
/** A fault that never ends is noticed too. */
const patienceMs = 600_000;
/** The few files that meet a fault and little else most often suffice; only a survivor has to face them all. */
const tranches = [
  [0, 4],
  [4, 16],
  [16, Infinity],
];

const config = `
export default { test: {
  include: ["tests/${folders}/**/*.test.ts"],
  setupFiles: ["tests/seed.ts", "scripts/faults/switch.mjs"],
  env: { TEST_SEED: "1" },
  testNamePattern: /^(?!.* on postgres\\b)/,
  pool: "forks", isolate: false, maxWorkers: ${Number(process.env.FAULTS_WORKERS ?? 2)},
  testTimeout: 120_000, hookTimeout: 120_000,
} };
`;

if (await ensurePackages(root)) {
  process.on("SIGINT", () => process.exit(130));
  process.on("exit", () => rmSync(ground, { recursive: true, force: true }));
  await runRound();
} else {
  process.exitCode = 1;
}

async function runRound() {
  const faults = layGround();
  say(`${faults.length} faults planted; a first run without any…`);
  const report = join(ground, "results.json");
  await runTests(["--reporter=json", `--outputFile=${report}`], { FAULTS_MET: join(ground, "met.jsonl") });
  const filesOf = readMet(listSound(report));
  const results = faults.map((fault) => ({ fault, outcome: filesOf.has(fault.id) ? "survived" : "unreached" }));
  for (const [from, to] of tranches) {
    say(`each that is left faces test files ${from + 1} to ${to === Infinity ? "the last" : to}…`);
    for (const result of results.filter(({ outcome }) => outcome === "survived")) {
      result.outcome = await judge(result.fault, filesOf.get(result.fault.id).slice(from, to));
      say(`${result.outcome.padEnd(9)}  ${placeOf(result.fault)}  ${result.fault.what}`);
    }
  }
  const count = (asked) => results.filter(({ outcome }) => outcome === asked).length;
  const left = results.filter(({ outcome }) => outcome !== "killed").map(describe);
  console.log(JSON.stringify({ planted: results.length, killed: count("killed"), left }, null, 2));
}

/** A run that had to be stopped is told apart: on a busy machine it proves nothing. */
async function judge(fault, files) {
  if (files.length === 0) return "survived";
  const { code, output } = await runTests(["--bail", "1", ...files], { FAULT: String(fault.id) });
  if (code === 0) return "survived";
  return code === exitCodeOfSignal("SIGTERM") || /timed out in \d+ms/.test(output) ? "hung" : "killed";
}

function layGround() {
  mkdirSync(ground, { recursive: true });
  for (const part of ["src", "tests", "scripts", "contracts", "package.json", "tsconfig.json"]) {
    cpSync(join(root, part), join(ground, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(ground, "node_modules"));
  writeFileSync(join(ground, "vitest.config.mjs"), config);
  const texts = new Map(
    listFiles(root, "src/domain")
      .filter(isJudged)
      .map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
  const sites = [...texts].flatMap(([path, text]) => listSites(path, text, parseSource(text, path)));
  const faults = chooseSites(sites, { most: Number(asked.most), seed: Number(asked.seed) });
  for (const [path, text] of texts) {
    const own = faults.filter((fault) => fault.path === path);
    writeFileSync(join(ground, path), plant(text, own));
  }
  return faults;
}

function runTests(files, env) {
  const args = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...files];
  return run(process.execPath, args, {
    cwd: ground,
    env,
    isCaptured: true,
    timeoutMs: env.FAULT ? patienceMs : undefined,
  });
}

/** The files whose tests pass without a fault; what fails anyway, for want of PostgreSQL for one, proves nothing. */
function listSound(report) {
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const broken = testResults.filter(({ status }) => status !== "passed").map(({ name }) => name);
  if (broken.length > 0) say(`left out, because they fail without a fault: ${broken.join(", ")}`);
  return new Set(testResults.filter(({ status }) => status === "passed").map(({ name }) => name));
}

/** By fault, the files whose tests come by it; those that come by few faults first, since they are about little else. */
function readMet(sound) {
  const lines = readFileSync(join(ground, "met.jsonl"), "utf8").trim().split("\n");
  const met = lines
    .map((line) => JSON.parse(line))
    .filter(({ file }) => sound.has(file))
    .sort((one, other) => one.met.length - other.met.length);
  const filesOf = new Map();
  for (const { file, met: ids } of met) {
    for (const id of ids) filesOf.set(id, [...(filesOf.get(id) ?? []), file]);
  }
  return filesOf;
}

function placeOf({ path, line }) {
  return `${path}:${line}`;
}

function describe({ fault, outcome }) {
  return { id: fault.id, place: placeOf(fault), what: fault.what, wrong: fault.wrong, outcome };
}
