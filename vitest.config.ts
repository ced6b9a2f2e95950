import { execFileSync } from "node:child_process";
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

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    globalSetup: ["tests/global-setup.ts"],
    setupFiles: ["tests/seed.ts"],
    env: { TEST_SEED: process.env["TEST_SEED"] ?? seedOfCommit() },
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
});
