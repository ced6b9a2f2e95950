/** `npm run check`: the inner loop. Everything at once, a short table, and the output of what failed. */
import { checks, runCheck, runVitest } from "./steps/checks.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";

const jobs = [
  ...checks.map((check) => ({ name: check.name, start: () => runCheck(check, { isCaptured: true }) })),
  { name: "unit tests", start: () => runVitest(["--config", "vitest.unit.config.ts"], { isCaptured: true }) },
];

if (await ensurePackages(root)) {
  const results = await Promise.all(jobs.map(runJob));
  const failed = results.filter((result) => result.code !== 0);
  for (const { name, output } of failed) console.log(`\n── ${name}\n${output.trimEnd()}`);
  console.log(failed.length === 0 ? "\nall is well" : `\nfailed: ${failed.map((result) => result.name).join(", ")}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} else {
  process.exitCode = 1;
}

async function runJob({ name, start }) {
  const startedAt = performance.now();
  const { code, output } = await start();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok  " : "FAIL"}  ${name.padEnd(16)} ${seconds.padStart(6)} s`);
  return { name, code, output };
}
