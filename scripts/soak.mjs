/**
 * `npm run soak -- --minutes N --db sqlite|postgres --nodes N [--seed N] [--out FILE]`: random histories under kills,
 * freezes and crashes of the database, checked against a model. Prints the figures and ends with 1 on a contradiction.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureOutput } from "./steps/output.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";
import { say } from "./steps/run.mjs";

const wish = readArguments();
if (wish === undefined) process.exitCode = 2;
else if ((await ensurePackages(root)) && (await ensureOutput(root))) process.exitCode = await run(wish);
else process.exitCode = 1;

function readArguments() {
  try {
    const text = { type: "string" };
    const options = { minutes: text, db: text, nodes: text, seed: text, out: text };
    const { values } = parseArgs({ options });
    const db = values.db ?? "sqlite";
    if (db !== "sqlite" && db !== "postgres") throw new Error("--db is sqlite or postgres.");
    const [minutes, nodes] = [Number(values.minutes ?? 5), Number(values.nodes ?? (db === "postgres" ? 2 : 1))];
    if (!(minutes > 0)) throw new Error("--minutes is a number above 0.");
    if (!Number.isInteger(nodes) || nodes < 1 || nodes > 8) throw new Error("--nodes is 1 to 8.");
    // One process owns a SQLite file; a second server of it would only be refused.
    const count = db === "sqlite" ? 1 : nodes;
    const out = resolve(values.out ?? join(root, ".work", `soak-${db}.json`));
    return { minutes, db, nodes: count, seed: Number(values.seed ?? Date.now() % 2 ** 32), out };
  } catch (error) {
    say(error.message);
    return undefined;
  }
}

async function run({ out, ...wish }) {
  const { soak } = await import("../soak/run.mjs");
  const { removeFolders } = await import("../bench/kit/homes.mjs");
  process.once("exit", removeFolders);
  const figures = await soak(wish);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify(figures, null, 2)}\n`);
  say(JSON.stringify(figures));
  return figures.faults.length === 0 ? 0 : 1;
}
