/** `npm test`: set-up, every check, every test. The last line counts them all. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checks, runCheck, runVitest } from "./steps/checks.mjs";
import { countTests } from "./steps/count-tests.mjs";
import { ensureOutput } from "./steps/output.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";
import { say } from "./steps/run.mjs";
import { ensurePrograms } from "./steps/system.mjs";

const counts = { passed: 0, failed: 0, skipped: 0 };

if ((await ensurePrograms()) && (await ensurePackages(root))) {
  count("build", await ensureOutput(root));
  await Promise.all([...checks.map(runOne), runTests(process.argv.slice(2))]);
} else {
  count("set-up", false);
}
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exitCode = counts.failed > 0 ? 1 : 0;

function count(name, isGood) {
  counts[isGood ? "passed" : "failed"] += 1;
  say(`${isGood ? "ok  " : "FAIL"}  ${name}`);
}

/** Silent unless it fails: several run at once, and their words would mix. */
async function runOne(check) {
  const { code, output } = await runCheck(check, { isCaptured: true });
  if (code !== 0) console.log(`\n── ${check.name}\n${output.trimEnd()}`);
  count(check.name, code === 0);
}

async function runTests(filters) {
  const folder = mkdtempSync(join(tmpdir(), "crewdeck-results-"));
  const report = join(folder, "results.json");
  try {
    const { code } = await runVitest([
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...filters,
    ]);
    const tests = countTests(report, code);
    for (const kind of Object.keys(counts)) counts[kind] += tests[kind];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
