import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";
import { run } from "./run.mjs";

const node = process.execPath;
const inModules = (...path) => join(root, "node_modules", ...path);

/** The checks that need no test runner, in the order in which a person wants to hear of them. */
export const checks = [
  { name: "types", args: typesOf("tsconfig.json") },
  { name: "deck types", args: typesOf("tsconfig.deck.json") },
  { name: "lint", args: [inModules("@biomejs", "biome", "bin", "biome"), "check", "--error-on-warnings", "."] },
  { name: "fences", args: [join(root, "scripts", "fences.mjs")] },
  { name: "exports", args: [join(root, "scripts", "exports.mjs")] },
  { name: "generated files", args: [join(root, "scripts", "gen.mjs"), "--check"] },
  { name: "rules", args: [join(root, "scripts", "rules.mjs")] },
];

/** What the compiler found out is kept for the next time, which then takes a tenth. */
function typesOf(project) {
  const found = inModules(".cache", "crewdeck", `${project}.tsbuildinfo`);
  return [inModules("typescript", "bin", "tsc"), "-p", project, "--incremental", "--tsBuildInfoFile", found];
}

export async function runCheck({ args }, options = {}) {
  if (!existsSync(args[0])) return { code: 1, output: `${args[0]} is missing\n` };
  return run(node, args, { cwd: root, ...options });
}

/**
 * Memory that is free goes back at once: to start a program takes longer the larger the starting process is, and tests
 * start thousands. In those that start Git it saves a twentieth of the processor time.
 */
const leanMemory = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "131072" };

/** Vitest with whatever else is to be said to it. */
export const runVitest = (args, options = {}) =>
  runCheck({ args: [inModules("vitest", "vitest.mjs"), "run", ...args] }, { env: leanMemory, ...options });
