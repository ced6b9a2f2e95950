/**
 * `npm run bench [name…] [--out FILE]`: measures the build against peers in the same run, prints a table and writes
 * the figures as JSON. A figure never fails it; only a bench that cannot be carried out does.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureOutput } from "./steps/output.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";
import { exitCodeOfSignal, say } from "./steps/run.mjs";

const wish = readArguments();
if (wish === undefined) process.exitCode = 2;
else if ((await ensurePackages(root)) && (await ensureOutput(root))) process.exitCode = await measure(wish);
else process.exitCode = 1;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
    return { words: positionals, out: resolve(values.out ?? join(root, ".work", "bench.json")) };
  } catch (error) {
    say(error.message);
    return undefined;
  }
}

/** The benches load packages and the build, so none of them is imported before both are there. */
async function measure({ words, out }) {
  const { chooseBenches } = await import("../bench/kit/benches.mjs");
  const { measureShare } = await import("../bench/kit/share.mjs");
  const { removeFolders } = await import("../bench/kit/homes.mjs");
  const benches = await chooseBenches(words).catch((error) => say(error.message));
  if (!benches) return 2;
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(exitCodeOfSignal(signal)));
  process.once("exit", removeFolders);
  const shares = [measureShare()];
  const results = [];
  for (const bench of benches) {
    results.push(await runBench(bench));
    shares.push(measureShare());
  }
  const share = Math.min(...shares);
  const report = { at: new Date().toISOString(), machine: describeMachine(), share, benches: results };
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
  console.log(summaryOf(report, out));
  return results.some((result) => result.failure !== undefined) ? 1 : 0;
}

async function runBench({ name, title, run }) {
  const { endPrograms } = await import("../bench/kit/programs.mjs");
  const { formatTable } = await import("../bench/kit/table.mjs");
  console.log(`${name}: ${title}`);
  const startedAt = performance.now();
  const took = () => Math.round((performance.now() - startedAt) / 100) / 10;
  try {
    const rows = await run();
    console.log(formatTable(rows).join("\n"));
    return { name, title, seconds: took(), rows };
  } catch (error) {
    console.log(`  could not be measured: ${error.stack}`);
    return { name, title, seconds: took(), rows: [], failure: error.message };
  } finally {
    await endPrograms();
    console.log("");
  }
}

function describeMachine() {
  return { cores: availableParallelism(), memoryGb: Math.round(totalmem() / 2 ** 30), node: process.version };
}

function summaryOf({ benches, share }, out) {
  const aims = benches.flatMap((bench) => bench.rows).filter((row) => row.isMet !== undefined);
  const met = aims.filter((row) => row.isMet).length;
  const calm =
    share < 0.9
      ? `\nThe machine had other work: a process that never waits got ${Math.round(share * 100)} % of a core at worst. Trust ratios only.`
      : "";
  return `${met} of ${aims.length} aims met; figures in ${out}${calm}`;
}
