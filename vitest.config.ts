import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Each commit tries other values, and the same ones wherever it is tested (decision 0012). */
function seedOfCommit(): string {
  try {
    const head = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return String(Number.parseInt(head.slice(0, 7), 16));
  } catch {
    return "1"; // Not a clone: an unpacked archive is tested too.
  }
}

/** Files that must have a process of their own, each with the reason. */
const apart = [
  "tests/attack/json.test.ts", // measures what its process keeps in memory
  "tests/http/limits.test.ts", // measures what its process keeps in memory
];

const common = {
  setupFiles: ["tests/seed.ts"],
  env: { TEST_SEED: process.env["TEST_SEED"] ?? seedOfCommit() },
  pool: "forks" as const,
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    globalSetup: ["tests/global-setup.ts"],
    maxWorkers: availableParallelism(),
    reporters: ["default"],
    projects: [
      { test: { ...common, name: "apart", include: apart } },
      // One after the other in the same few processes: loading the program takes longer than most files.
      { test: { ...common, name: "together", include: ["tests/**/*.test.ts"], exclude: apart, isolate: false } },
    ],
  },
});
