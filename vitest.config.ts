import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { patienceMs, testPatienceMs } from "./src/testing/waiting.ts";
import { apart, startGit, startMany } from "./tests/apart.ts";
import { LongOnesFirst } from "./tests/order.ts";
import { seedOfCommit } from "./tests/seed-of-commit.ts";

const common = {
  setupFiles: ["tests/seed.ts"],
  env: { TEST_SEED: seedOfCommit() },
  pool: "forks" as const,
  testTimeout: testPatienceMs,
  hookTimeout: testPatienceMs,
  expect: { poll: { timeout: patienceMs, interval: 20 } },
};

// One file after the other in the same few processes: loading the program takes longer than most files.
const shared = { ...common, isolate: false };

const small = { ...shared, setupFiles: [...shared.setupFiles, "tests/stay-small.ts"], execArgv: ["--expose-gc"] };

export default defineConfig({
  test: {
    globalSetup: ["tests/global-setup.ts"],
    // What a module becomes for the tests is kept for the next run, which then need not make it again.
    experimental: { fsModuleCache: true },
    // More than there are cores, because some wait for minutes until a program has had enough.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: LongOnesFirst },
    reporters: ["default"],
    projects: [
      { test: { ...common, name: "apart", include: Object.keys(apart) } },
      { test: { ...small, name: "git", include: startGit, exclude: Object.keys(apart) } },
      { test: { ...small, name: "programs", include: startMany, exclude: Object.keys(apart) } },
      {
        test: {
          ...shared,
          name: "together",
          include: ["tests/**/*.test.ts"],
          exclude: [...startGit, ...startMany, ...Object.keys(apart)],
        },
      },
    ],
  },
});
